import { useState } from 'react';

const COLOURS = { supported: 'yj-ok', partly: 'yj-partly', unsupported: 'yj-no' };

// The panel gives the focus back to what opened it.
function opener(answerId, place) {
  return () => {
    window.youjuPanel.remember(answerId, place.passage);
    callAction({ name: 'open_citation', payload: { answerId, ...place } });
  };
}

function Card({ card, answerId, label, hidden }) {
  const badge = card.verdict ? `${card.verdictText} ` : '';
  return (
    <button
      type="button"
      className="yj-card"
      hidden={hidden}
      data-cite={card.n || ''}
      data-passage={card.passage}
      aria-label={`${label} ${card.n ? `[${card.n}] ` : ''}${card.title} ${card.section} ${card.pages} ${badge}`}
      onClick={opener(answerId, { passage: card.passage })}
    >
      {card.n ? <span className="yj-number">{card.n}</span> : null}
      <span className="yj-body">
        <span className="yj-where">
          <b>{card.title}</b>
          {card.section ? <span> › {card.section}</span> : null}
          {card.pages ? <span className="yj-pages">{card.pages}</span> : null}
          {card.verdict ? (
            <span className={`yj-verdict ${COLOURS[card.verdict]}`}>{card.verdictText}</span>
          ) : null}
        </span>
        <span className="yj-quote">{card.quote}</span>
        {card.reason ? <span className="yj-reason yj-card-reason">{card.reason}</span> : null}
        <span className="yj-doc">
          {card.doc}
          {card.version ? <span className="yj-version">{card.version}</span> : null}
        </span>
      </span>
    </button>
  );
}

// A line that opens its place where there is one.
function Line({ open, className, line, children }) {
  if (!open) {
    return (
      <div className={className} data-line={line} tabIndex={-1}>
        {children}
      </div>
    );
  }
  return (
    <button type="button" className={className} data-line={line} onClick={open}>
      {children}
    </button>
  );
}

function Checks({ checks, answerId }) {
  const { title, sum, doubts, counterTitle, counter } = checks;
  if (!sum && !counter.length) return null;
  return (
    <div className="yj-checks">
      {sum ? (
        <div className={doubts.length ? 'yj-sum' : 'yj-sum yj-sum-good'}>
          <b>{title}</b> {sum}
        </div>
      ) : null}
      {doubts.map((one, index) => (
        <Line
          key={`d${index}`}
          line={index}
          open={one.passage < 0 ? null : opener(answerId, { passage: one.passage })}
          className={`yj-doubt yj-doubt-${one.verdict}`}
        >
          <span className={`yj-verdict ${COLOURS[one.verdict]}`}>{one.verdictText}</span> {one.sentence}
          {one.reasons.map((reason, at) => (
            <span key={at} className="yj-reason">
              {reason}
            </span>
          ))}
        </Line>
      ))}
      {counter.length ? <div className="yj-sum yj-counter-title">⚠ {counterTitle}</div> : null}
      {counter.map((one, index) => (
        <Line
          key={`c${index}`}
          open={opener(answerId, { counter: index })}
          className="yj-doubt yj-doubt-partly yj-counter"
        >
          <span className="yj-reason">{one.reason}</span>
          <span className="yj-quote">{one.quote}</span>
          <span className="yj-doc">{one.doc}</span>
        </Line>
      ))}
    </div>
  );
}

export default function Sources() {
  const { cards, uncited, answerId, title, uncitedTitle, open, usage, permalink, permalinkTitle, checks } = props;
  const shown = props.shown || cards.length;
  const [all, setAll] = useState(false);
  const list = (items, most) =>
    items.map((card, index) => (
      // A folded card is there all the same: the marks in the text click it.
      <Card key={index} card={card} answerId={answerId} label={open} hidden={index >= most} />
    ));
  const marks = (checks && checks.marks) || [];
  return (
    <section className="yj-sources" aria-label={title} data-answer={answerId} data-marks={JSON.stringify(marks)}>
      {checks ? <Checks checks={checks} answerId={answerId} /> : null}
      {cards.length ? <div className="yj-title">{title}</div> : null}
      {list(cards, all ? cards.length : shown)}
      {cards.length > shown ? (
        <button type="button" className="yj-link yj-more" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? props.fewer : props.more}
        </button>
      ) : null}
      {uncited.length ? (
        <details className="yj-uncited" open={!cards.length}>
          <summary>{cards.length ? uncitedTitle : title}</summary>
          {list(uncited, uncited.length)}
        </details>
      ) : null}
      {usage || permalink ? (
        <div className="yj-usage">
          {usage}
          {permalink ? (
            <a className="yj-permalink" href={permalink} target="_blank" rel="noreferrer">
              {permalinkTitle}
            </a>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}
