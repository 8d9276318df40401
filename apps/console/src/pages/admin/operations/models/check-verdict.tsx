import type { ModelCheck } from '@parlance/client/types';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { formatNumber, formatSeconds } from '../../../../messages/format.ts';

/** The result of a test, with what to do next. */
export function CheckVerdict({ check, of }: { readonly check: ModelCheck; readonly of: 'provider' | 'model' }) {
  const { providers } = useAdminMessages().admin.operations;
  const { error, latency_ms: latency } = check;
  if (error === null) {
    const time = latency === null ? null : latency < 1_000 ? providers.milliseconds(formatNumber(latency)) : formatSeconds(latency / 1_000);
    const text = time === null ? providers.worksUncalled : of === 'model' ? providers.worksModel(time) : providers.works(time);
    return <p className="rounded-md border border-ok p-3 text-sm font-medium">{text}</p>;
  }
  const next = providers.next[error.code];
  const isOpen = error.code === 'models_not_listed';
  const title = isOpen ? providers.unlisted : of === 'model' ? providers.failsModel : providers.fails;
  return (
    <div className={`rounded-md border p-3 text-sm ${isOpen ? 'border-warn' : 'border-bad'}`}>
      <p className="font-medium">{title}</p>
      <p>{error.message}</p>
      {next !== undefined && <p className="text-muted">{next}</p>}
    </div>
  );
}
