import type { Bot } from '@parlance/client/types';
import { useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { botTouched } from '../bot-queries.ts';
import { bodyOf, isIncomplete, sharingOf } from './sharing.ts';
import { SharingFields } from './sharing-fields.tsx';

export function ShareDialog({ bot, onClose }: { readonly bot: Bot; readonly onClose: () => void }) {
  const {
    common,
    bots: { header },
  } = useMessages();
  const texts = header.sharing;
  const [sharing, setSharing] = useState(() => sharingOf(bot));
  const save = async () => {
    await parlance.bots.share(bot.id, bodyOf(sharing));
    await botTouched(bot.id);
    toast(texts.saved);
    onClose();
  };

  return (
    <FormDialog title={texts.title} onClose={onClose} submitLabel={common.save} onSubmit={save} isDisabled={isIncomplete(sharing)}>
      {bot.is_publication && <p className="text-sm text-muted">{texts.published}</p>}
      <SharingFields sharing={sharing} onChange={setSharing} allText={texts.allText} isScopeFixed={bot.is_publication} />
    </FormDialog>
  );
}
