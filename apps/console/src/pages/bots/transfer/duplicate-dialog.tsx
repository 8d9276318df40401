import type { Bot, PrivateBot } from '@parlance/client/types';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { longPost } from '../../../api/long-request.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useBotTransferMessages } from '../../../messages/bot-transfer-messages.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Checkbox, TextField } from '../../../ui/fields/index.ts';
import { toast } from '../../../ui/toasts.tsx';
import { newBotId } from './new-bot-id.ts';

const LONGEST_TITLE = 100;

/** Creates a private copy of a bot. */
export function DuplicateDialog({ bot, onClose }: { readonly bot: Bot; readonly onClose: () => void }) {
  const texts = useBotTransferMessages();
  const navigate = useNavigate();
  const [title, setTitle] = useState(() => texts.copyOf(bot.title).slice(0, LONGEST_TITLE));
  const [hasFiles, setFiles] = useState(true);
  const duplicate = async () => {
    const made = await longPost<PrivateBot>(`/bot/${bot.id}/duplicate`, { title: title.trim(), files: hasFiles }, newBotId());
    await queryClient.invalidateQueries({ queryKey: ['bots'] });
    onClose();
    toast(texts.duplicated);
    await navigate({ to: '/bots/$botId/edit', params: { botId: made.id } });
  };
  return (
    <FormDialog title={texts.duplicateTitle} onClose={onClose} submitLabel={texts.duplicate} onSubmit={duplicate}>
      {({ errorOf }) => (
        <>
          <p className="text-sm text-muted">{texts.duplicateText}</p>
          <TextField
            label={texts.title}
            value={title}
            onChange={setTitle}
            error={errorOf('title')}
            maxLength={LONGEST_TITLE}
            isRequired
            autoFocus
            autoComplete="off"
          />
          {bot.has_knowledge && (
            <Checkbox isSelected={hasFiles} onChange={setFiles}>
              {texts.withFiles}
            </Checkbox>
          )}
        </>
      )}
    </FormDialog>
  );
}
