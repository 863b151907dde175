import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

const PAGE = 20;
const COLUMNS = ['name', 'kind', 'place', 'pages', 'chunks', 'added'];
const NUMBERS = ['pages', 'chunks'];

const filled = (words, values) => words.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
const day = (moment) => (moment || '').slice(0, 10);

async function fetched(address) {
  const reply = await fetch(address, { credentials: 'same-origin' });
  if (!reply.ok) throw new Error(String(reply.status));
  return reply.json();
}

function sorted(rows, { by, down }) {
  const order = new Intl.Collator(props.language === 'zh' ? 'zh-CN' : 'en', { numeric: true });
  const compared = (a, b) => (NUMBERS.includes(by) ? a[by] - b[by] : order.compare(a[by], b[by]));
  return [...rows].sort((a, b) => (down ? -1 : 1) * compared(a, b));
}

function Versions({ row, labels }) {
  const [versions, setVersions] = useState(null);
  useEffect(() => {
    fetched(`/documents/${row.id}/versions.json`)
      .then((found) => setVersions(found.versions))
      .catch(() => setVersions([]));
  }, [row.id, row.version]);
  if (!versions) return null;
  return (
    <ul className="yj-versions">
      {versions.map((one) => (
        <li key={one.id}>
          <b>{filled(labels.doc_version, one)}</b>
          <span>{day(one.added)}</span>
          {one.current ? <span className="yj-badge">{labels.doc_current}</span> : null}
          <a href={`/versions/${one.id}/original`} target="_blank" rel="noreferrer">
            {labels.doc_original}
          </a>
          {one.before ? (
            <a
              href={`/documents/${row.id}/difference?a=${one.before}&b=${one.number}&lang=${props.language}`}
              target="_blank"
              rel="noreferrer"
            >
              {labels.doc_changes}
            </a>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function Again({ row, labels, onStart, onClose }) {
  const [strategy, setStrategy] = useState(props.strategy);
  return (
    <div className="yj-asking">
      <label>
        {labels.doc_again_ask}{' '}
        <select value={strategy} onChange={(event) => setStrategy(event.target.value)}>
          {props.strategies.map((one) => (
            <option key={one.name} value={one.name}>
              {one.label}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="yj-button" onClick={() => onStart(strategy)}>
        {labels.doc_again_run}
      </button>
      <button type="button" className="yj-link" onClick={onClose}>
        {labels.doc_cancel}
      </button>
    </div>
  );
}

function Delete({ labels, busy, onDelete, onClose }) {
  return (
    <div className="yj-asking" role="alertdialog" aria-label={labels.doc_delete}>
      <span>{labels.doc_delete_ask}</span>
      <button type="button" className="yj-button yj-danger" disabled={busy} onClick={onDelete}>
        {labels.doc_delete_run}
      </button>
      <button type="button" className="yj-link" disabled={busy} onClick={onClose}>
        {labels.doc_cancel}
      </button>
    </div>
  );
}

function Actions({ row, labels, act, refresh, watch }) {
  const [asking, setAsking] = useState('');
  const [busy, setBusy] = useState(false);
  const toggle = (what) => setAsking(asking === what ? '' : what);
  const remove = async () => {
    setBusy(true);
    await act('remove_document', { document: row.id });
    await refresh();
    setBusy(false);
    setAsking('');
  };
  const again = async (strategy) => {
    setAsking('');
    await act('chunk_again', { document: row.id, strategy });
    watch(row);
  };
  const link = (address, words) => (
    <a className="yj-link" href={address} target="_blank" rel="noreferrer">
      {words}
    </a>
  );
  const button = (words, onClick, extra = {}) => (
    <button type="button" className="yj-link" onClick={onClick} {...extra}>
      {words}
    </button>
  );
  return (
    <div className="yj-acts">
      {row.warnings.length ? (
        <ul className="yj-warnings" aria-label={labels.doc_warnings}>
          {row.warnings.map((words, at) => (
            <li key={at}>{words}</li>
          ))}
        </ul>
      ) : null}
      <div className="yj-act-row">
        {button(labels.doc_only, () => act('ask_only', { document: row.id }))}
        {link(`/versions/${row.version}/chunks?lang=${props.language}`, labels.doc_inspect)}
        <a className="yj-link" href={`/versions/${row.version}/original`} download>
          {labels.doc_download}
        </a>
        {button(labels.doc_versions, () => toggle('versions'), { 'aria-expanded': asking === 'versions' })}
        {row.manage ? button(labels.doc_again, () => toggle('again'), { 'aria-expanded': asking === 'again' }) : null}
        {row.manage
          ? button(labels.doc_delete, () => toggle('delete'), {
              className: 'yj-link yj-link-danger',
              'aria-expanded': asking === 'delete',
            })
          : null}
      </div>
      {asking === 'versions' ? <Versions row={row} labels={labels} /> : null}
      {asking === 'again' ? (
        <Again row={row} labels={labels} onStart={again} onClose={() => setAsking('')} />
      ) : null}
      {asking === 'delete' ? (
        <Delete labels={labels} busy={busy} onDelete={remove} onClose={() => setAsking('')} />
      ) : null}
    </div>
  );
}

function Row({ row, open, onToggle, ...rest }) {
  const { labels } = rest;
  return (
    <>
      <tr className={open ? 'yj-open' : ''} data-document={row.name}>
        <td className="yj-doc-name">
          <button type="button" aria-expanded={open} aria-label={filled(labels.doc_more, row)} onClick={onToggle}>
            <span className="yj-arrow" aria-hidden="true">
              ›
            </span>
            <span>
              {row.name}
              {row.number > 1 ? <small> {filled(labels.doc_version, row)}</small> : null}
              {row.warnings.length ? (
                <small className="yj-warned" title={row.warnings.join('\n')}>
                  {' '}
                  ⚠ {row.warnings.length}
                </small>
              ) : null}
              {row.title ? <small className="yj-doc-title">{row.title}</small> : null}
            </span>
          </button>
        </td>
        <td>
          <span className="yj-badge">{row.kind}</span>
        </td>
        <td className="yj-doc-place">{row.place}</td>
        <td className="yj-count" data-label={labels.doc_pages}>
          {row.pages || <span className="yj-none">–</span>}
        </td>
        <td className="yj-count" data-label={labels.doc_chunks}>
          {row.chunks}
        </td>
        <td className="yj-day">{day(row.added)}</td>
      </tr>
      {open ? (
        <tr className="yj-open-acts">
          <td colSpan={COLUMNS.length}>
            <Actions row={row} {...rest} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

function Heads({ order, setOrder, labels }) {
  return (
    <thead>
      <tr>
        {COLUMNS.map((by) => (
          <th key={by} aria-sort={order.by !== by ? 'none' : order.down ? 'descending' : 'ascending'}>
            <button type="button" onClick={() => setOrder({ by, down: order.by === by && !order.down })}>
              {labels[`doc_${by}`]}
              <span aria-hidden="true">{order.by !== by ? '' : order.down ? ' ↓' : ' ↑'}</span>
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Pager({ page, count, setPage, labels }) {
  if (count <= PAGE) return null;
  const first = page * PAGE;
  const last = Math.min(first + PAGE, count);
  return (
    <nav className="yj-pager">
      <button type="button" className="yj-link" disabled={!page} onClick={() => setPage(page - 1)}>
        {labels.doc_previous}
      </button>
      <span>{filled(labels.doc_range, { first: first + 1, last, count })}</span>
      <button type="button" className="yj-link" disabled={last >= count} onClick={() => setPage(page + 1)}>
        {labels.doc_next}
      </button>
    </nav>
  );
}

export default function Documents() {
  const { labels, chat, collection, language } = props;
  const [rows, setRows] = useState(null);
  const [failed, setFailed] = useState(false);
  const [search, setSearch] = useState(props.search || '');
  const [order, setOrder] = useState({ by: 'name', down: false });
  const [page, setPage] = useState(0);
  const [open, setOpen] = useState('');
  const watched = useRef(0);

  const refresh = useCallback(async () => {
    const asked = new URLSearchParams({ chat, collection, lang: language });
    try {
      const found = (await fetched(`/documents.json?${asked}`)).documents;
      setRows(found);
      setFailed(false);
      return found;
    } catch {
      setFailed(true);
      return [];
    }
  }, [chat, collection, language]);
  useEffect(() => {
    refresh();
    return () => clearTimeout(watched.current);
  }, [refresh]);

  const act = (name, payload) => callAction({ name, payload });
  // A document that is cut anew becomes another version after a while.
  const watch = (row, tries = 60) => {
    clearTimeout(watched.current);
    watched.current = setTimeout(async () => {
      const now = (await refresh()).find((one) => one.id === row.id);
      if (now && now.version === row.version && tries) watch(row, tries - 1);
    }, 2500);
  };

  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const says = (row) => `${row.name} ${row.title} ${row.place} ${row.kind}`.toLowerCase();
    const fits = (rows || []).filter((row) => words.every((word) => says(row).includes(word)));
    return sorted(fits, order);
  }, [rows, search, order]);
  const last = Math.max(Math.ceil(found.length / PAGE) - 1, 0);
  const at = Math.min(page, last);
  const shown = found.slice(at * PAGE, (at + 1) * PAGE);

  return (
    <section className="yj-docs" aria-label={labels.doc_title}>
      <header>
        <b>{labels.doc_title}</b>
        <span className="yj-doc-count">{rows ? filled(labels.doc_count, { count: found.length }) : ''}</span>
        <input
          type="search"
          value={search}
          placeholder={labels.doc_search}
          aria-label={labels.doc_search}
          onChange={(event) => {
            setSearch(event.target.value);
            setPage(0);
          }}
        />
      </header>
      {failed ? (
        <p className="yj-doc-none">
          {labels.doc_unreachable}{' '}
          <button type="button" className="yj-link" onClick={refresh}>
            {labels.doc_retry}
          </button>
        </p>
      ) : null}
      {rows && !found.length && !failed ? (
        <p className="yj-doc-none">{rows.length ? labels.doc_no_match : labels.doc_none}</p>
      ) : null}
      {shown.length ? (
        <table>
          <Heads order={order} setOrder={setOrder} labels={labels} />
          <tbody>
            {shown.map((row) => (
              <Row
                key={row.id}
                row={row}
                open={open === row.id}
                onToggle={() => setOpen(open === row.id ? '' : row.id)}
                labels={labels}
                act={act}
                refresh={refresh}
                watch={watch}
              />
            ))}
          </tbody>
        </table>
      ) : null}
      <Pager page={at} count={found.length} setPage={setPage} labels={labels} />
    </section>
  );
}
