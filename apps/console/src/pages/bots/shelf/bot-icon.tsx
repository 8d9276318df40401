/** A bot's initial, until bots have pictures. */
export function BotIcon({ title }: { readonly title: string }) {
  const [initial = '?'] = title.trim();
  return (
    <span
      aria-hidden
      className="flex size-7 shrink-0 items-center justify-center rounded-sm border border-line bg-raised text-xs font-semibold text-accent"
    >
      {initial.toLocaleUpperCase()}
    </span>
  );
}
