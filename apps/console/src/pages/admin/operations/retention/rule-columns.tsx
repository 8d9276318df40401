import type { RetentionRule } from '@parlance/client/types';
import { formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Button } from '../../../../ui/button.tsx';
import type { Column } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { ShortId } from '../short-id.tsx';

interface RuleColumns {
  /** Titles of bots by ID. */
  readonly names: ReadonlyMap<string, string>;
  readonly nameOf: (rule: RetentionRule) => string;
  readonly onEnable: (rule: RetentionRule) => void;
  readonly onDisable: (rule: RetentionRule) => void;
  readonly onChange: (rule: RetentionRule) => void;
  readonly onRemove: (rule: RetentionRule) => void;
}

export function useRuleColumns({ names, nameOf, onEnable, onDisable, onChange, onRemove }: RuleColumns): readonly Column<RetentionRule>[] {
  const { admin, common } = useAdminMessages();
  const { retention } = admin.operations;
  return [
    {
      id: 'scope',
      name: retention.appliesTo,
      cell: ({ kind, applies_to, bot_id, group }) => (
        <span className="flex min-w-44 flex-col">
          <span className="font-medium">
            {kind === 'exports'
              ? retention.allExports
              : (group ?? (bot_id === null ? retention.scopes[applies_to] : (names.get(bot_id) ?? <ShortId id={bot_id} />)))}
          </span>
          {kind === 'uploads' && <span className="text-xs text-muted">{retention.kinds.uploads}</span>}
          {applies_to !== 'all' && <span className="text-xs text-muted">{retention.scopes[applies_to]}</span>}
        </span>
      ),
    },
    { id: 'days', name: retention.daysColumn, cell: ({ inactive_days }) => retention.after(inactive_days) },
    {
      id: 'state',
      name: retention.state,
      cell: ({ enabled }) => <Tag tone={enabled ? 'ok' : 'neutral'}>{enabled ? retention.enabled : retention.disabled}</Tag>,
    },
    {
      id: 'created',
      name: retention.created,
      cell: ({ create_time }) => <span className="whitespace-nowrap">{formatTime(create_time)}</span>,
    },
    {
      id: 'actions',
      name: common.actions,
      isNameHidden: true,
      align: 'end',
      cell: (rule) => (
        <span className="inline-flex gap-1">
          {rule.enabled ? (
            <Button size="small" look="quiet" aria-label={retention.disableOf(nameOf(rule))} onPress={() => onDisable(rule)}>
              {retention.disable}
            </Button>
          ) : (
            <Button size="small" look="quiet" aria-label={retention.enableOf(nameOf(rule))} onPress={() => onEnable(rule)}>
              {retention.enable}
            </Button>
          )}
          <Button size="small" look="quiet" aria-label={retention.changeOf(nameOf(rule))} onPress={() => onChange(rule)}>
            {retention.change}
          </Button>
          <Button size="small" look="quiet" aria-label={retention.removeOf(nameOf(rule))} onPress={() => onRemove(rule)}>
            {common.remove}
          </Button>
        </span>
      ),
    },
  ];
}
