import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { LinkButton } from '../../../../ui/button.tsx';
import { ErrorNote } from '../../../../ui/states.tsx';
import { healthQuery } from '../../health-query.ts';
import { type Problem, problemsOf } from './health-problems.ts';

const REFRESH_MILLIS = 30_000;

/** One line if all services are healthy, otherwise the problems. */
export function ServicesLine() {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.costs.overview;
  const health = useQuery({ ...healthQuery, refetchInterval: REFRESH_MILLIS });
  if (health.data === undefined) {
    return health.error === null ? (
      <p role="status" className="text-sm text-muted">
        {common.loading}
      </p>
    ) : (
      <ErrorNote error={health.error} title={texts.health} />
    );
  }
  const problems = problemsOf(health.data);
  const isWell = problems.length === 0;
  const Icon = isWell ? CircleCheck : CircleAlert;
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border bg-raised px-4 py-2 text-sm ${isWell ? 'border-line' : 'border-bad'}`}
    >
      <Icon aria-hidden className={`size-5 shrink-0 ${isWell ? 'text-ok' : 'text-bad'}`} />
      {isWell ? (
        <p className="min-w-0 grow">{texts.healthOk(health.data.services.length)}</p>
      ) : (
        <ul className="min-w-0 grow">
          {problems.map((problem) => (
            <li key={`${problem.kind} ${problem.service}`}>
              <ProblemText problem={problem} />
            </li>
          ))}
        </ul>
      )}
      <LinkButton href="/admin/health" size="small" look="quiet">
        {texts.healthLink}
      </LinkButton>
    </div>
  );
}

function ProblemText({ problem: { kind, service, count } }: { readonly problem: Problem }) {
  const { overview: texts } = useAdminMessages().admin.people.costs;
  const name = service ?? '';
  switch (kind) {
    case 'broker':
      return texts.brokerDown;
    case 'store':
      return texts.storeDown(name);
    case 'object-store':
      return texts.objectStoreDown(name);
    case 'dead-letters':
      return texts.deadLetters(name, count ?? 0);
    case 'unreachable':
      return texts.unreachable(name);
    case 'degraded':
      return texts.degraded(name);
  }
}
