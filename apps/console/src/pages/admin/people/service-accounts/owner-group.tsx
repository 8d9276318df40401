import type { Group } from '@parlance/client/types';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Tag } from '../../../../ui/tag.tsx';
import { isGone } from './queries.ts';

interface Props {
  readonly group: string;
  readonly known: readonly Group[] | undefined;
}

/** The group that owns a service account, and whether it is deleted. */
export function OwnerGroup({ group, known }: Props) {
  const { accounts: texts } = useAdminMessages().admin.people.tokens;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {group}
      {isGone(group, known) && (
        <span title={texts.ownerGoneText}>
          <Tag tone="bad">{texts.ownerGone}</Tag>
        </span>
      )}
    </span>
  );
}
