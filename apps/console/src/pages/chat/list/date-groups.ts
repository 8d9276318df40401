type DateGroup = 'today' | 'yesterday' | 'week' | 'month' | { readonly year: number; readonly month: number };

interface Dated {
  /** Epoch seconds. */
  readonly last_message_time: number;
}

const DAY = 86_400_000;

/** Groups a list, newest first, by days in the local time zone. */
export function byDate<Item extends Dated>(items: readonly Item[], now: Date): { readonly group: DateGroup; readonly items: Item[] }[] {
  const groups: { group: DateGroup; items: Item[] }[] = [];
  for (const item of items) {
    const group = groupOf(new Date(item.last_message_time * 1_000), now);
    const last = groups.at(-1);
    if (last && JSON.stringify(last.group) === JSON.stringify(group)) last.items.push(item);
    else groups.push({ group, items: [item] });
  }
  return groups;
}

function groupOf(time: Date, now: Date): DateGroup {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const at = time.getTime();
  if (at >= midnight) return 'today';
  if (at >= midnight - DAY) return 'yesterday';
  if (at >= midnight - 7 * DAY) return 'week';
  if (at >= midnight - 30 * DAY) return 'month';
  return { year: time.getFullYear(), month: time.getMonth() };
}
