import type { BotVersion } from '@parlance/client/types';
import { formatTime } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { useMe } from '../../../session/use-me.ts';
import { Button } from '../../../ui/button.tsx';
import { Table } from '../../../ui/table.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { useNames } from '../header/people.ts';

interface VersionTableProps {
  readonly versions: readonly BotVersion[];
  readonly current: number;
  readonly onCompare: (version: number) => void;
}

export function VersionTable({ versions, current, onCompare }: VersionTableProps) {
  const {
    common,
    bots: { history },
  } = useMessages();
  const me = useMe();
  const names = useNames(versions.flatMap(({ user_id: id }) => (id === null || id === me.user_id ? [] : [id])));
  const nameOf = (id: string | null) => (id === null ? history.system : id === me.user_id ? history.you : (names.get(id) ?? id));
  return (
    <Table
      label={history.table}
      rows={versions}
      keyOf={({ version }) => String(version)}
      columns={[
        {
          id: 'version',
          name: history.version,
          cell: ({ version }) => (
            <span className="flex items-center gap-2 tabular-nums">
              {version}
              {version === current && <Tag tone="accent">{history.current}</Tag>}
            </span>
          ),
        },
        {
          id: 'change',
          name: history.change,
          cell: ({ change, restored_version: restored, title }) => (
            <div className="min-w-36">
              <p>{restored === null ? history.changes[change] : history.restoredFrom(restored)}</p>
              {title !== null && <p className="text-xs text-muted">{history.titled(title)}</p>}
            </div>
          ),
        },
        { id: 'by', name: history.by, cell: ({ user_id: id }) => nameOf(id) },
        { id: 'when', name: history.when, cell: ({ create_time: at }) => <span className="whitespace-nowrap">{formatTime(at)}</span> },
        {
          id: 'actions',
          name: common.actions,
          isNameHidden: true,
          align: 'end',
          cell: ({ version }) =>
            versions.length > 1 && (
              <Button size="small" aria-label={history.compare(version)} onPress={() => onCompare(version)}>
                {history.compareShort}
              </Button>
            ),
        },
      ]}
    />
  );
}
