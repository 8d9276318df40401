import { LINES } from './lines.ts';

/** A server of a later version may have an icon that these files do not have. */
const lineOf = (name: string): string => (Object.hasOwn(LINES, name) ? LINES[name as keyof typeof LINES] : LINES.chat);

export function LineIcon({ name }: { readonly name: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="size-[62%]"
    >
      <path d={lineOf(name)} />
    </svg>
  );
}
