/** A model's text unformatted, where it cannot be rendered. */
export const PlainText = ({ text }: { readonly text: string }) => (
  <p className="break-words whitespace-pre-wrap" dir="auto">
    {text}
  </p>
);
