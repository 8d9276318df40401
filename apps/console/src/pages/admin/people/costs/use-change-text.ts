import { formatPercent } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { changeOf } from './cost-period.ts';

/** Compares an amount with one before in words. */
export function useChangeText(): (now: number, before: number) => string {
  const { change: texts } = useAdminMessages().admin.people.costs;
  return (now, before) => {
    const { kind, share } = changeOf(now, before);
    return kind === 'more' || kind === 'less' ? texts[kind](formatPercent(share)) : texts[kind];
  };
}
