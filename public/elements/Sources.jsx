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

export default function Sources() {
  const { cards, uncited, answerId, title, uncitedTitle, open, usage, permalink, permalinkTitle } = props;
  const list = (items) =>
    items.map((card, index) => (
      <Card key={index} card={card} answerId={answerId} label={open} />
    ));
  return (
    <section className="yj-sources" aria-label={title}>
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
