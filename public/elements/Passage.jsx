import { useEffect, useLayoutEffect, useRef, useState } from 'react';

const COLOURS = { supported: 'yj-ok', partly: 'yj-partly', unsupported: 'yj-no' };

// Words only, never markup: React writes each run as text.
function Runs({ runs }) {
  return runs.map((run, index) => {
    const Tag = run.layer === 'strong' ? 'mark' : 'span';
    const look = run.style ? ` ${run.style.replace(/(\w+)/g, 'yj-look-$1')}` : '';
    return (
      <Tag key={index} className={`yj-run-${run.layer}${look}`}>
        {run.text}
      </Tag>
    );
  });
}

function Table({ block }) {
  const row = (cells, Cell) => cells.map((runs, at) => <Cell key={at}>{<Runs runs={runs} />}</Cell>);
  return (
    <div className="yj-b-table">
      <table>
        {block.head.length ? (
          <thead>
            <tr>{row(block.head, 'th')}</tr>
          </thead>
        ) : null}
        <tbody>
          {block.rows.map((cells, index) => (
            <tr key={index}>{row(cells, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Block({ block }) {
  if (block.kind === 'table' && block.rows) return <Table block={block} />;
  const runs = <Runs runs={block.runs} />;
  if (block.kind === 'heading') {
    return (
      <div role="heading" aria-level={Math.min((block.level || 1) + 2, 6)} className={`yj-b-heading yj-b-h${block.level}`}>
        {runs}
      </div>
    );
  }
  if (block.kind === 'code') return <pre className="yj-b-code">{runs}</pre>;
  const bullet = block.kind === 'list_item' ? ` yj-b-deep${block.depth || 0}${block.bullet ? ' yj-b-bullet' : ''}` : '';
  return <div className={`yj-b-${block.kind}${bullet}`}>{runs}</div>;
}

const blocksOf = (blocks) => blocks.map((block, index) => <Block key={index} block={block} />);

// The words, with more of the section step by step; what is read stays where it is on the screen.
function Words() {
  const { before, here, after, labels } = props;
  const box = useRef(null);
  const height = useRef(0);
  const [shown, setShown] = useState([0, 0]);
  useEffect(() => {
    const strong = box.current.querySelector('.yj-run-strong') || box.current.querySelector('.yj-run-pale');
    if (strong) box.current.scrollTop = Math.max(strong.offsetTop - 60, 0);
  }, []);
  useLayoutEffect(() => {
    if (height.current) box.current.scrollTop += box.current.scrollHeight - height.current;
    height.current = 0;
  }, [shown]);
  const more = (side) => {
    if (!side) height.current = box.current.scrollHeight;
    setShown(shown.map((count, at) => count + (at === side)));
  };
  const button = (side, label) => (
    <button type="button" className={`yj-link yj-context-${side ? 'after' : 'before'}`} onClick={() => more(side)}>
      {side ? '↓' : '↑'} {label}
    </button>
  );
  return (
    <div
      className={`yj-text${props.pageViews.length ? ' yj-text-short' : ''}`}
      id="citation-text"
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={labels.panel_text}
    >
      {shown[0] < before.length ? button(0, labels.panel_before) : null}
      {before.slice(0, shown[0]).reverse().map((blocks, index) => (
        <div key={shown[0] - index}>{blocksOf(blocks)}</div>
      ))}
      {blocksOf(here)}
      {after.slice(0, shown[1]).map((blocks, index) => (
        <div key={index}>{blocksOf(blocks)}</div>
      ))}
      {shown[1] < after.length ? button(1, labels.panel_after) : null}
    </div>
  );
}

function Boxes({ boxes, layer }) {
  return boxes.map(([left, top, width, height], index) => (
    <span
      key={`${layer}${index}`}
      className={`yj-box yj-${layer}`}
      style={{ left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }}
    />
  ));
}

function Page({ view }) {
  const frame = useRef(null);
  const [large, setLarge] = useState(false);
  const show = () => {
    const box = frame.current && (frame.current.querySelector('.yj-strong') || frame.current.querySelector('.yj-pale'));
    if (!box) return;
    frame.current.scrollTop = Math.max(box.offsetTop - 90, 0);
    frame.current.scrollLeft = Math.max(box.offsetLeft - 40, 0);
  };
  useLayoutEffect(show, [large]);
  const label = `${props.doc} ${view.page}`;
  return (
    <div className="yj-page-frame" ref={frame} tabIndex={0} role="group" aria-label={label}>
      <figure className={`yj-page${large ? ' yj-page-large' : ''}`} data-page={view.page}>
        <img src={view.image} alt={label} onLoad={show} />
        <Boxes boxes={view.pale} layer="pale" />
        <Boxes boxes={view.strong} layer="strong" />
        <button
          type="button"
          className="yj-page-zoom"
          aria-label={props.labels.panel_zoom}
          aria-pressed={large}
          onClick={() => setLarge(!large)}
        />
      </figure>
    </div>
  );
}

function Copy() {
  const { labels, quote } = props;
  const [done, setDone] = useState(false);
  const copy = async () => {
    await window.youjuPanel.copy(quote);
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return (
    <button type="button" className="yj-tool yj-copy" data-quote={quote} onClick={copy}>
      <span aria-live="polite">{done ? `✓ ${labels.panel_copied}` : labels.panel_copy}</span>
    </button>
  );
}

// Pressed again, a mark is taken back.
function Marking() {
  const { answerId, passage, n, labels } = props;
  const [right, setRight] = useState(props.right);
  const mark = (value) => {
    const now = right === value ? null : value;
    setRight(now);
    callAction({ name: 'mark_citation', payload: { answerId, passage, n, right: now } });
  };
  const button = (value, label) => (
    <button
      type="button"
      className={`yj-tool yj-mark-${value ? 'right' : 'wrong'}`}
      aria-pressed={right === value}
      onClick={() => mark(value)}
    >
      {value ? '✓' : '✗'} {label}
    </button>
  );
  return (
    <div className="yj-marking" role="group" aria-label={labels.panel_mark}>
      <span>{labels.panel_mark}</span>
      {button(true, labels.panel_right)}
      {button(false, labels.panel_wrong)}
    </div>
  );
}

function Said({ said }) {
  return said
    .filter((one) => one.reasons.length)
    .map((one, index) => (
      <div key={index} className={`yj-doubt yj-doubt-${one.verdict}`}>
        {one.sentence}
        {one.reasons.map((reason, at) => (
          <span key={at} className="yj-reason">
            {reason}
          </span>
        ))}
      </div>
    ));
}

function useKeys(go) {
  useEffect(() => {
    const onKey = (event) => {
      if (!window.youjuPanel.isMeant(event)) return;
      if (event.key === 'Escape') window.youjuPanel.close();
      else if (event.key === 'ArrowLeft' || event.key === 'p') go(props.previousPassage);
      else if (event.key === 'ArrowRight' || event.key === 'n') go(props.nextPassage);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

// The focus comes to the heading, and goes back when the panel was closed and not merely turned over.
function useFocus(heading) {
  useEffect(() => {
    heading.current.focus({ preventScroll: true });
    return () => setTimeout(window.youjuPanel.giveBack, 60);
  }, []);
}

function WayOn({ go }) {
  const { labels, position, previousPassage, nextPassage } = props;
  if (!position) return null;
  const button = (passage, sign, label, key) => (
    <button
      type="button"
      className={`yj-tool yj-${key}`}
      disabled={passage < 0}
      aria-label={label}
      title={label}
      onClick={() => go(passage)}
    >
      {sign}
    </button>
  );
  return (
    <nav className="yj-way-on" aria-label={labels.panel}>
      {button(previousPassage, '‹', labels.panel_previous, 'previous')}
      <span>{position}</span>
      {button(nextPassage, '›', labels.panel_next, 'next')}
    </nav>
  );
}

export default function Passage() {
  const { title, section, pages, doc, n, said, pageViews, labels, answerId } = props;
  const heading = useRef(null);
  const go = (passage) => {
    if (passage >= 0) callAction({ name: 'open_citation', payload: { answerId, passage } });
  };
  useKeys(go);
  useFocus(heading);
  const seen = [...new Map(said.map((one) => [one.verdict, one])).values()];
  return (
    <article
      className="yj-panel"
      id="citation-panel"
      role="region"
      aria-label={labels.panel_region}
      data-passage={n}
      data-key={props.key}
    >
      <header>
        <div className="yj-panel-top">
          <h3 className="yj-where" tabIndex={-1} ref={heading}>
            {n ? <span className="yj-number">{n}</span> : null}
            {title}
          </h3>
          <WayOn go={go} />
        </div>
        {section ? <div className="yj-section">{section}</div> : null}
        <div className="yj-doc">
          {doc} {pages ? <span className="yj-pages">{pages}</span> : null}
          {props.version ? <span className="yj-version">{props.version}</span> : null}
          {props.badge ? (
            <span className={`yj-verdict ${props.isOlder ? 'yj-partly' : 'yj-plain'}`}>{props.badge}</span>
          ) : null}
          {seen.map((one) => (
            <span key={one.verdict} className={`yj-verdict ${COLOURS[one.verdict]}`}>
              {one.text}
            </span>
          ))}
        </div>
        <Said said={said} />
      </header>
      <Words />
      <div className="yj-tools">
        <Copy />
        <a className="yj-tool yj-original" href={props.original} target="_blank" rel="noreferrer">
          {labels.panel_original}
        </a>
        <a className="yj-tool yj-see-chunks" href={props.chunks} target="_blank" rel="noreferrer">
          {labels.panel_chunks}
        </a>
      </div>
      {n ? <Marking /> : null}
      {pageViews.length ? <h4>{labels.panel_page}</h4> : null}
      {pageViews.map((view) => (
        <Page key={view.page} view={view} />
      ))}
    </article>
  );
}
