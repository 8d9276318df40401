import type { Prompt, PromptVersion } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { formatTime } from '../../messages/format.ts';
import { useMessages } from '../../messages/index.ts';
import { usePromptMessages } from '../../messages/prompt-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { useMe } from '../../session/use-me.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { Paged } from '../../ui/paging/paged.tsx';
import { Table } from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useNames } from '../bots/header/people.ts';
import { etagOf, promptChanged, promptVersionsQuery } from './prompt-queries.ts';

const route = getRouteApi('/signed-in/prompts/$promptId');

/** For the owner and administrators. */
export function PromptVersions({ prompt }: { readonly prompt: Prompt }) {
  const texts = usePromptMessages();
  const { token } = route.useSearch();
  const query = useQuery(promptVersionsQuery(prompt.id, token));
  const [restoring, setRestoring] = useState<number | null>(null);
  const restore = async () => {
    if (restoring === null) return;
    const request = { path: { promptId: prompt.id }, body: { version: restoring }, ifMatch: etagOf(prompt) };
    await promptChanged(await parlance.api.post('/prompts/{promptId}/restore', request));
    toast(texts.restored);
    setRestoring(null);
  };
  return (
    <Section title={texts.versions} description={texts.versionsText}>
      <Paged query={query} token={token} resetScroll={false}>
        {({ versions }) => <VersionTable versions={versions} current={prompt.version} onRestore={setRestoring} />}
      </Paged>
      <ConfirmDialog
        title={texts.restoreTitle(restoring ?? 0)}
        text={texts.restoreText}
        confirmLabel={texts.restore}
        isDanger={false}
        isOpen={restoring !== null}
        onClose={() => setRestoring(null)}
        onConfirm={restore}
      />
    </Section>
  );
}

interface VersionTableProps {
  readonly versions: readonly PromptVersion[];
  readonly current: number;
  readonly onRestore: (version: number) => void;
}

function VersionTable({ versions, current, onRestore }: VersionTableProps) {
  const { common } = useMessages();
  const texts = usePromptMessages();
  const me = useMe();
  const names = useNames(versions.flatMap(({ user_id: id }) => (id === null || id === me.user_id ? [] : [id])));
  const nameOf = (id: string | null) => (id === null ? texts.system : id === me.user_id ? texts.you : (names.get(id) ?? id));
  return (
    <Table
      label={texts.versions}
      rows={versions}
      keyOf={({ version }) => String(version)}
      columns={[
        {
          id: 'version',
          name: texts.version,
          cell: ({ version }) => (
            <span className="flex items-center gap-2 tabular-nums">
              {version}
              {version === current && <Tag tone="accent">{texts.current}</Tag>}
            </span>
          ),
        },
        {
          id: 'change',
          name: texts.change,
          cell: ({ change, restored_version: restored }) => (restored === null ? texts.changes[change] : texts.restoredFrom(restored)),
        },
        { id: 'by', name: texts.by, cell: ({ user_id: id }) => nameOf(id) },
        { id: 'when', name: texts.when, cell: ({ create_time: at }) => <span className="whitespace-nowrap">{formatTime(at)}</span> },
        {
          id: 'actions',
          name: common.actions,
          isNameHidden: true,
          align: 'end',
          cell: ({ version, change }) =>
            version !== current &&
            change !== 'shared' && (
              <Button size="small" aria-label={texts.restoreVersion(version)} onPress={() => onRestore(version)}>
                {texts.restore}
              </Button>
            ),
        },
      ]}
    />
  );
}
