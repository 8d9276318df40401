/** Longer ones are cut. Names of groups and models are mostly shorter. */
const SHOWN = 20;
const ENDS = 6;

/** An ID in a table. The start of our IDs is a time, so the end tells more. */
export function ShortId({ id }: { readonly id: string }) {
  const isLong = id.length > SHOWN;
  return (
    <code className="text-xs" title={isLong ? id : undefined}>
      {isLong ? `${id.slice(0, 4)}…${id.slice(-ENDS)}` : id}
    </code>
  );
}
