function Side({ runs, tag: Tag, name }) {
  return (
    <div className={`yj-diff-${name}`}>
      {runs.map((run, at) => (run.changed ? <Tag key={at}>{run.text}</Tag> : <span key={at}>{run.text}</span>))}
    </div>
  );
}

export default function Compare() {
  const { title, old: before, new: after, sum, places, more, link, open } = props;
  return (
    <section className="yj-compare" aria-label={title}>
      <header>
        <b>{sum}</b>
        <a className="yj-link" href={link} target="_blank" rel="noreferrer">
          {open}
        </a>
      </header>
      <div className="yj-diff yj-diff-head">
        <div>{before}</div>
        <div>{after}</div>
      </div>
      {places.map((place, at) => (
        <div key={at} className="yj-diff-place">
          <div className="yj-section">{place.path}</div>
          {place.rows.map((row, number) => (
            <div key={number} className="yj-diff">
              <Side runs={row.old} tag="del" name="old" />
              <Side runs={row.new} tag="ins" name="new" />
            </div>
          ))}
        </div>
      ))}
      {more ? <div className="yj-doc">{more}</div> : null}
    </section>
  );
}
