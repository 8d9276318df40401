/** Asks the user whether unsaved changes may be lost. */
type Asking = () => Promise<boolean>;

const askings = new Set<Asking>();

/** Asks before a sign-out. Answers how to stop it. */
export function askBeforeSignOut(asking: Asking): () => void {
  askings.add(asking);
  return () => void askings.delete(asking);
}

/** False if the user keeps unsaved changes. */
export async function mayLoseChanges(): Promise<boolean> {
  for (const asking of askings) if (!(await asking())) return false;
  return true;
}
