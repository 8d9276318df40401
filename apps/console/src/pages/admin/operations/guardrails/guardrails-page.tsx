import type { GuardrailPolicy } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { formatList } from '../../../../messages/format.ts';

const TONES = { flag: 'neutral', mask: 'warn', block: 'bad' } as const;

/** The policies of the configuration. */
export function GuardrailsPage() {
  const { guardrails: texts } = useAdminMessages().admin.operations;
  const query = useQuery({
    queryKey: ['admin', 'guardrails'],
    queryFn: ({ signal }) => parlance.api.get('/admin/guardrails', { signal }),
  });
  const columns: readonly Column<GuardrailPolicy>[] = [
    { id: 'policy', name: texts.policy, cell: ({ id }) => <span className="font-medium break-all">{id}</span> },
    { id: 'action', name: texts.action, cell: ({ action }) => <Tag tone={TONES[action]}>{texts.actions[action]}</Tag> },
    { id: 'stage', name: texts.stage, cell: ({ stage }) => texts.stages[stage] },
    { id: 'surfaces', name: texts.surfaces, cell: ({ apply_to }) => formatList(apply_to.map((each) => texts.surface[each] ?? each)) },
    {
      id: 'detectors',
      name: texts.detectors,
      cell: ({ detectors, words, phone_regions: regions }) => (
        <span className="flex min-w-48 flex-col">
          {formatList(detectors.map((each) => (each === 'words' ? texts.words(words) : (texts.detector[each] ?? each))))}
          {regions.length > 0 && <span className="text-xs text-muted">{texts.regions(formatList(regions))}</span>}
        </span>
      ),
    },
  ];
  return (
    <Page title={texts.title} description={texts.description} isWide>
      <Loaded query={query}>
        {({ policies }) => (
          <Table
            hasCards
            label={texts.title}
            columns={columns}
            rows={policies}
            keyOf={({ id }) => id}
            empty={<EmptyState title={texts.none} text={texts.noneText} />}
          />
        )}
      </Loaded>
    </Page>
  );
}
