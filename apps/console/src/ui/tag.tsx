import type { ReactNode } from 'react';

const TONES = {
  neutral: 'border-line text-muted',
  ok: 'border-ok text-ok',
  warn: 'border-warn text-warn',
  bad: 'border-bad text-bad',
  accent: 'border-transparent bg-accent-soft text-accent',
};

/** A short state beside a name. */
export function Tag({ tone = 'neutral', children }: { readonly tone?: keyof typeof TONES; readonly children: ReactNode }) {
  return (
    <span className={`inline-flex min-h-6 items-center rounded-full border px-2 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}>
      {children}
    </span>
  );
}
