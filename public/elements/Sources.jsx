const COLOURS = { supported: 'yj-ok', partly: 'yj-partly', unsupported: 'yj-no' };

function Card({ card, answerId, label }) {
  const open = () =>
    callAction({ name: 'open_citation', payload: { answerId, passage: card.passage } });
  return (
    <button
      type="button"
      className="yj-card"
      data-cite={card.n || ''}
      aria-label={`${label} ${card.n ? `[${card.n}] ` : ''}${card.title} ${card.section} ${card.pages}`}
      onClick={open}
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
        <span className="yj-doc">{card.doc}</span>
      </span>
    </button>
  );
}

// A line that opens its passage where there is one.
function Line({ answerId, passage, className, children }) {
  if (passage < 0) return <div className={className}>{children}</div>;
  const open = () => callAction({ name: 'open_citation', payload: { answerId, passage } });
  return (
    <button type="button" className={className} onClick={open}>
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
        <Line key={`d${index}`} answerId={answerId} passage={one.passage} className={`yj-doubt yj-doubt-${one.verdict}`}>
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
        <Line key={`c${index}`} answerId={answerId} passage={one.passage} className="yj-doubt yj-doubt-partly">
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
  const list = (items) =>
    items.map((card, index) => (
      <Card key={index} card={card} answerId={answerId} label={open} />
    ));
  return (
    <section className="yj-sources" aria-label={title}>
      {checks ? <Checks checks={checks} answerId={answerId} /> : null}
      {cards.length ? <div className="yj-title">{title}</div> : null}
      {list(cards)}
      {uncited.length ? (
        <details className="yj-uncited" open={!cards.length}>
          <summary>{cards.length ? uncitedTitle : title}</summary>
          {list(uncited)}
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
