import type { Bot } from '@parlance/client/types';
import { useNavigate } from '@tanstack/react-router';
import { Copy, Download, Ellipsis, FileArchive, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { longDownload } from '../../../api/long-request.ts';
import { queryClient } from '../../../api/query-client.ts';
import { saveFile } from '../../../api/save-file.ts';
import { useBotTransferMessages } from '../../../messages/bot-transfer-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { mayCreateBots, useMe } from '../../../session/use-me.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { toast, toastError } from '../../../ui/toasts.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const DuplicateDialog = lazyPart(() => import('../transfer/duplicate-dialog.tsx'), 'DuplicateDialog');

interface BotMenuProps {
  readonly bot: Bot;
  readonly mayDelete: boolean;
}

/** Less frequent actions, for users who may change the bot. */
export function BotMenu({ bot, mayDelete }: BotMenuProps) {
  const {
    common,
    bots: { header },
  } = useMessages();
  const texts = useBotTransferMessages();
  const me = useMe();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'duplicate' | 'delete' | null>(null);

  const exportBot = async (isArchive: boolean) => {
    toast(texts.exporting);
    const content = await longDownload(`/bot/${bot.id}/export?files=${isArchive}`);
    saveFile(content, `bot-${bot.id}.${isArchive ? 'zip' : 'yaml'}`);
  };
  const deleteBot = async () => {
    await parlance.bots.delete(bot.id);
    toast(header.deleted);
    await navigate({ to: '/bots', ignoreBlocker: true });
    queryClient.removeQueries({ queryKey: ['bot', bot.id] });
    await queryClient.invalidateQueries({ queryKey: ['bots'] });
  };

  const icon = 'size-4';
  const entry = (id: string, name: string, Icon: typeof Copy, onAction: () => void, isDanger = false) => ({
    id,
    name,
    icon: <Icon aria-hidden className={icon} />,
    isDanger,
    onAction,
  });
  const entries = [
    ...(mayCreateBots(me) ? [entry('duplicate', texts.duplicate, Copy, () => setOpen('duplicate'))] : []),
    entry('yaml', texts.exportYaml, Download, () => void exportBot(false).catch(toastError)),
    ...(bot.has_knowledge ? [entry('zip', texts.exportZip, FileArchive, () => void exportBot(true).catch(toastError))] : []),
    ...(mayDelete ? [entry('delete', header.deleteBot, Trash2, () => setOpen('delete'), true)] : []),
  ];
  return (
    <>
      <Menu
        label={header.more}
        trigger={
          <IconButton label={header.more}>
            <Ellipsis aria-hidden className="size-5" />
          </IconButton>
        }
        entries={entries}
      />
      {open === 'duplicate' && (
        <Suspense>
          <DuplicateDialog bot={bot} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      <ConfirmDialog
        title={header.deleteTitle}
        text={header.deleteText(bot.title)}
        confirmLabel={common.delete}
        isOpen={open === 'delete'}
        onClose={() => setOpen(null)}
        onConfirm={deleteBot}
      />
    </>
  );
}
