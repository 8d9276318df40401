import type { Prompt } from '@parlance/client/types';
import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { usePromptMessages } from '../../messages/prompt-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { bodyOf, isIncomplete, sharingOf } from '../bots/header/sharing.ts';
import { SharingFields } from '../bots/header/sharing-fields.tsx';
import { etagOf, promptChanged } from './prompt-queries.ts';

export function SharePromptDialog({ prompt, onClose }: { readonly prompt: Prompt; readonly onClose: () => void }) {
  const { common } = useMessages();
  const texts = usePromptMessages();
  const [sharing, setSharing] = useState(() => sharingOf(prompt));
  const save = async () => {
    const request = { path: { promptId: prompt.id }, body: bodyOf(sharing), ifMatch: etagOf(prompt) };
    await promptChanged(await parlance.api.patch('/prompts/{promptId}/visibility', request));
    toast(texts.shared);
    onClose();
  };
  return (
    <FormDialog title={texts.shareTitle} onClose={onClose} submitLabel={common.save} onSubmit={save} isDisabled={isIncomplete(sharing)}>
      <SharingFields sharing={sharing} onChange={setSharing} allText={texts.allText} />
    </FormDialog>
  );
}
