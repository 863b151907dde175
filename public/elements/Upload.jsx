import { useState } from 'react';

const call = (name, payload) => callAction({ name, payload: { order: props.order, element: props.element, ...payload } });

function Working({ file }) {
  const percent = file.share === null || file.share === undefined ? null : Math.round(file.share * 100);
  return (
    <span className="yj-file-now">
      <span>
        {file.words}
        {file.left ? <span className="yj-file-left"> · {file.left}</span> : null}
      </span>
      {file.state === 'works' ? (
        <span className="yj-bar" role="progressbar" aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100} aria-label={file.name}>
          <span className={percent === null ? 'yj-bar-open' : ''} style={percent === null ? {} : { width: `${percent}%` }} />
        </span>
      ) : null}
    </span>
  );
}

function Password({ file, labels }) {
  const [password, setPassword] = useState('');
  const [sent, setSent] = useState(false);
  const open = (event) => {
    event.preventDefault();
    if (!password || sent) return;
    setSent(true);
    call('unlock_upload', { name: file.name, password });
    setPassword('');
    setTimeout(() => setSent(false), 3000);
  };
  return (
    <form className="yj-password" onSubmit={open}>
      <input
        type="password"
        autoComplete="off"
        value={password}
        placeholder={labels.upload_password}
        aria-label={`${labels.upload_password}: ${file.name}`}
        onChange={(event) => setPassword(event.target.value)}
      />
      <button type="submit" className="yj-button" disabled={!password || sent}>
        {labels.upload_unlock}
      </button>
      <button type="button" className="yj-link" onClick={() => call('skip_upload', { name: file.name })}>
        {labels.upload_skip}
      </button>
    </form>
  );
}

function Keep({ targets, labels }) {
  const [chosen, setChosen] = useState(targets[0].collection);
  const [sent, setSent] = useState(false);
  return (
    <div className="yj-keep">
      <span>{labels.upload_keep}</span>
      <select value={chosen} aria-label={labels.upload_keep} onChange={(event) => setChosen(event.target.value)}>
        {targets.map((target) => (
          <option key={target.collection} value={target.collection}>
            {target.label}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="yj-link yj-keep-go"
        disabled={sent}
        onClick={() => {
          setSent(true);
          call('keep_upload', { collection: chosen });
        }}
      >
        {labels.upload_keep_go}
      </button>
    </div>
  );
}

function Row({ file, labels }) {
  const isOver = file.state === 'done' || file.state === 'refused';
  return (
    <tr className={`yj-file yj-file-${file.state}`}>
      <td className="yj-file-name">{file.name}</td>
      <td className="yj-file-what">
        {isOver ? <b>{file.words}</b> : <Working file={file} />}
        {(file.details || []).map((detail, index) => (
          <span key={index} className="yj-reason">
            {detail}
          </span>
        ))}
        {file.locked ? <Password file={file} labels={labels} /> : null}
      </td>
      <td className="yj-file-count" data-label={labels.column_pages}>
        {file.pages || ''}
      </td>
      <td className="yj-file-count" data-label={labels.column_chunks}>
        {file.chunks || ''}
      </td>
    </tr>
  );
}

export default function Upload() {
  const { phase, title, said, files, targets, kept, labels } = props;
  const isOn = phase === 'queued' || phase === 'running';
  return (
    <section className="yj-upload" aria-label={title} data-phase={phase} data-order={props.order}>
      <header>
        <b>{title}</b>
        {isOn ? (
          <button type="button" className="yj-link yj-upload-cancel" onClick={() => call('cancel_upload', {})}>
            {labels.upload_cancel}
          </button>
        ) : null}
      </header>
      <table>
        <thead>
          <tr>
            <th>{labels.column_file}</th>
            <th>{labels.column_outcome}</th>
            <th className="yj-file-count">{labels.column_pages}</th>
            <th className="yj-file-count">{labels.column_chunks}</th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <Row key={file.name} file={file} labels={labels} />
          ))}
        </tbody>
      </table>
      <footer role="status">
        {said ? <span>{said}</span> : null}
        {targets && targets.length ? <Keep targets={targets} labels={labels} /> : null}
        {kept ? <span>{kept}</span> : null}
      </footer>
    </section>
  );
}
