import { useEffect, useRef } from 'react';

const COLOURS = { supported: 'yj-ok', partly: 'yj-partly', unsupported: 'yj-no' };

function Boxes({ boxes, layer }) {
  return boxes.map(([left, top, width, height], index) => (
    <span
      key={`${layer}${index}`}
      className={`yj-box yj-${layer}`}
      style={{ left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }}
    />
  ));
}

export default function Passage() {
  const { title, section, pages, doc, n, verdicts, parts, pageViews, labels } = props;
  const box = useRef(null);
  useEffect(() => {
    const strong = box.current && box.current.querySelector('.yj-run-strong');
    if (strong) box.current.scrollTop = Math.max(strong.offsetTop - 40, 0);
  }, [parts]);
  const seen = [...new Map(verdicts.map((v) => [v.verdict, v])).values()];
  return (
    <article className="yj-panel" id="citation-panel" data-passage={n} data-key={props.key}>
      <header>
        <div className="yj-where">
          {n ? <span className="yj-number">{n}</span> : null}
          <b>{title}</b>
        </div>
        {section ? <div className="yj-section">{section}</div> : null}
        <div className="yj-doc">
          {doc} {pages ? <span className="yj-pages">{pages}</span> : null}
          {seen.map((v) => (
            <span key={v.verdict} className={`yj-verdict ${COLOURS[v.verdict]}`}>
              {v.text}
            </span>
          ))}
        </div>
        {verdicts
          .filter((v) => v.reasons && v.reasons.length)
          .map((v, index) => (
            <div key={index} className={`yj-doubt yj-doubt-${v.verdict}`}>
              {v.sentence}
              {v.reasons.map((reason, at) => (
                <span key={at} className="yj-reason">
                  {reason}
                </span>
              ))}
            </div>
          ))}
      </header>
      <h4>{labels.panel_text}</h4>
      <div className="yj-text" id="citation-text" ref={box}>
        {parts.map((part, index) => (
          <span key={index} className={`yj-run-${part.layer}`}>
            {part.text}
          </span>
        ))}
      </div>
      {pageViews.length ? <h4>{labels.panel_page}</h4> : null}
      {pageViews.map((view) => (
        <figure key={view.page} className="yj-page" data-page={view.page}>
          <img src={view.image} alt={`${doc} ${view.page}`} />
          <Boxes boxes={view.pale} layer="pale" />
          <Boxes boxes={view.strong} layer="strong" />
        </figure>
      ))}
    </article>
  );
}
