export default function Interrupted() {
  const { said, again, question, way } = props;
  const ask = () => {
    if (way && way.question) callAction({ name: 'another_way', payload: way });
    else sendUserMessage(question);
  };
  return (
    <aside className="yj-interrupted" role="status">
      <span>{said}</span>
      {question ? (
        <button type="button" className="yj-link" onClick={ask}>
          {again}
        </button>
      ) : null}
    </aside>
  );
}
