import { formatPercent } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { changeOf } from './cost-period.ts';

/** Describes in words how an amount differs from an earlier one. */
export function useChangeText(): (now: number, before: number) => string {
  const { change: texts } = useAdminMessages().admin.people.costs;
  return (now, before) => {
    const { kind, share } = changeOf(now, before);
    return kind === 'more' || kind === 'less' ? texts[kind](formatPercent(share)) : texts[kind];
  };
}
