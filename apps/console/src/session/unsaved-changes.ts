/** Asks the user whether unsaved changes may be discarded. */
type Asking = () => Promise<boolean>;

const askings = new Set<Asking>();

/** Registers a question that is asked before a sign-out. Returns a function that removes it. */
export function askBeforeSignOut(asking: Asking): () => void {
  askings.add(asking);
  return () => void askings.delete(asking);
}

/** False if the user keeps unsaved changes. */
export async function mayLoseChanges(): Promise<boolean> {
  for (const asking of askings) if (!(await asking())) return false;
  return true;
}
