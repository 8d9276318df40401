/** Longer IDs are cut. Names of groups and models are usually shorter. */
const SHOWN = 20;
const ENDS = 6;

/** An ID in a table. Our IDs start with a timestamp, so the end distinguishes them better. */
export function ShortId({ id }: { readonly id: string }) {
  const isLong = id.length > SHOWN;
  return (
    <code className="text-xs" title={isLong ? id : undefined}>
      {isLong ? `${id.slice(0, 4)}…${id.slice(-ENDS)}` : id}
    </code>
  );
}
