import type { CostSummary } from '@parlance/client/types';
import { formatMoney } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { DayChart } from '../../../../ui/charts/day-chart.tsx';
import { movedTo, pointsOf, type Span, spanBefore } from './cost-period.ts';

export interface Compared {
  readonly summary: CostSummary;
  readonly before: CostSummary | undefined;
  readonly isCorrected: boolean;
}

/** The daily costs of a period, beside those of the previous period. */
export function DailyCosts({ span, summary, before, isCorrected }: Compared & { readonly span: Span }) {
  const { costs: texts } = useAdminMessages().admin.people;
  const now = pointsOf(texts.thisPeriod, span, summary.daily, isCorrected);
  const earlier = before && movedTo(span, pointsOf(texts.before, spanBefore(span), before.daily, isCorrected));
  return <DayChart label={texts.daily} kind="bars" series={earlier ? [now, earlier] : [now]} format={formatMoney} />;
}
