/** The source with one mutation in it. */
export function mutated(source, { start, end, by }) {
  const bytes = Buffer.from(source);
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(by), bytes.subarray(end)]).toString();
}
