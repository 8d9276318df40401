/** The text of a model as it is, where it cannot be drawn. */
export const PlainText = ({ text }: { readonly text: string }) => (
  <p className="break-words whitespace-pre-wrap" dir="auto">
    {text}
  </p>
);
