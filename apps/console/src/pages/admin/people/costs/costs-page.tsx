import type { CostSummary } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { saveFile } from '../../../../api/save-file.ts';
import { formatMoney, formatNumber, formatPercent, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { Page } from '../../../../ui/page.tsx';
import { ErrorNote, Loaded } from '../../../../ui/states.tsx';
import { Figures } from '../../../../ui/figures.tsx';
import { costsQuery } from '../queries.ts';
import { type CostsSearch, TOP_SIZES } from '../search.ts';
import { CostFilters } from './cost-filters.tsx';
import { spanAsked, spanBefore } from './cost-period.ts';
import { costCsv, costTables } from './cost-rows.ts';
import { CostTables } from './cost-tables.tsx';
import { type Compared, DailyCosts } from './daily-costs.tsx';
import { SuspiciousCharges } from './suspicious/suspicious-charges.tsx';
import { useChangeText } from './use-change-text.ts';

const route = getRouteApi('/signed-in/admin/costs');

export function CostsPage() {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.costs;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const span = spanAsked(search, new Date());
  const top = Number(search.top ?? TOP_SIZES[0]);
  const isCompared = search.compare !== false;
  const costs = useQuery(costsQuery(span, top, isCompared));
  const before = useQuery({ ...costsQuery(spanBefore(span), top), enabled: isCompared });
  const earlier = isCompared ? before.data : undefined;
  const isCorrected = search.corrected === true;
  const change = (next: CostsSearch) => void navigate({ search: { ...search, ...next }, replace: true });
  const download = async () => {
    if (!costs.data) return;
    const text = costCsv(costTables(costs.data, earlier, isCorrected));
    saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), `costs-${span.month ?? `${span.from}-${span.to}`}.csv`);
  };
  return (
    <Page title={admin.pages.costs} description={texts.description} isWide actions={costs.data && <CsvButton onDownload={download} />}>
      <CostFilters search={search} span={span} onChange={change} />
      <Loaded query={costs}>
        {(summary) => (
          <div className="flex flex-col gap-5" aria-busy={costs.isPlaceholderData}>
            {(costs.error ?? (isCompared ? before.error : null)) !== null && <ErrorNote error={costs.error ?? before.error} />}
            <Totals summary={summary} before={earlier} isCorrected={isCorrected} />
            <div className="rounded-md border border-line bg-raised p-5 max-sm:p-4">
              <DailyCosts span={span} summary={summary} before={earlier} isCorrected={isCorrected} />
            </div>
            <CostTables
              tables={costTables(summary, earlier, isCorrected)}
              total={isCorrected ? summary.as_corrected : summary.as_billed}
              hasBefore={isCompared}
            />
            <SuspiciousCharges />
            {summary.as_of && <p className="text-xs text-muted">{common.asOf(formatTime(summary.as_of.time))}</p>}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Totals({ summary, before, isCorrected }: Compared) {
  const { costs: texts } = useAdminMessages().admin.people;
  const changeText = useChangeText();
  const amount = (each: CostSummary) => (isCorrected ? each.as_corrected : each.as_billed);
  const byKeys = isCorrected ? summary.total_as_corrected_by_keys : summary.total_cost_by_keys;
  const total = amount(summary);
  const { projected_total_cost: projected } = summary;
  const share = (part: number) => (total === 0 ? undefined : formatPercent(part / total));
  // An unfinished month is compared by its projection.
  const note = (value: number) => (before === undefined ? undefined : changeText(value, amount(before)));
  return (
    <Figures
      figures={[
        { name: texts.total, value: formatMoney(total), ...(projected === null && { note: note(total) }) },
        ...(projected === null ? [] : [{ name: texts.projected, value: formatMoney(projected), note: note(projected) }]),
        ...(before === undefined ? [] : [{ name: texts.before, value: formatMoney(amount(before)) }]),
        { name: texts.byUsers, value: formatMoney(total - byKeys), note: share(total - byKeys) },
        { name: texts.byKeys, value: formatMoney(byKeys), note: share(byKeys) },
        { name: texts.inputTokens, value: formatNumber(summary.total_input_tokens) },
        { name: texts.outputTokens, value: formatNumber(summary.total_output_tokens) },
        { name: texts.correction, value: formatMoney(summary.as_corrected - summary.as_billed) },
      ]}
    />
  );
}
