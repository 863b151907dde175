export default function Interrupted() {
  const { said, again, question } = props;
  return (
    <aside className="yj-interrupted" role="status">
      <span>{said}</span>
      {question ? (
        <button type="button" className="yj-link" onClick={() => sendUserMessage(question)}>
          {again}
        </button>
      ) : null}
    </aside>
  );
}
