import type { IconName } from './appearance.ts';
import { LINES } from './lines.ts';

export function LineIcon({ name }: { readonly name: IconName }) {
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
      <path d={LINES[name]} />
    </svg>
  );
}
