import { useState } from 'react';

function Reworded({ searched, labels }) {
  const [draft, setDraft] = useState(null);
  const trimmed = (draft || '').trim();
  const search = () => {
    if (!trimmed) return;
    setDraft(null);
    sendUserMessage(trimmed, labels.exact);
  };
  const onKeyDown = (event) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') setDraft(null);
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      search();
    }
  };
  if (draft === null) {
    return (
      <div className="yj-asked-line">
        <span className="yj-asked-label">{labels.searched}</span>
        <span className="yj-asked-text">{searched}</span>
        <button type="button" className="yj-link yj-edit" onClick={() => setDraft(searched)}>
          {labels.searched_edit}
        </button>
      </div>
    );
  }
  return (
    <div className="yj-asked-form">
      <textarea
        autoFocus
        rows={2}
        value={draft}
        aria-label={labels.searched}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="yj-asked-buttons">
        <button type="button" className="yj-link" onClick={() => setDraft(null)}>
          {labels.cancel}
        </button>
        <button type="button" className="yj-button" disabled={!trimmed} onClick={search}>
          {labels.searched_run}
        </button>
      </div>
    </div>
  );
}

export default function Asked() {
  const { searched, scope, labels } = props;
  return (
    <aside className="yj-asked">
      {searched ? <Reworded searched={searched} labels={labels} /> : null}
      {scope ? (
        <div className="yj-asked-line yj-scope">
          <span className="yj-asked-label">{labels.scope}</span>
          <span className="yj-asked-text">{scope}</span>
          <button
            type="button"
            className="yj-link yj-clear"
            onClick={() => callAction({ name: 'clear_filter', payload: {} })}
          >
            {labels.scope_clear}
          </button>
        </div>
      ) : null}
    </aside>
  );
}
