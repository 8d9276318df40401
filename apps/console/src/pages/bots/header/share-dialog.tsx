import type { Bot } from '@parlance/client/types';
import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { botTouched } from '../bot-queries.ts';
import { PeoplePicker } from './people-picker.tsx';
import { bodyOf, sharingOf } from './sharing.ts';

const SCOPES = ['private', 'partial', 'all'] as const;

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
  const isMissing = sharing.scope === 'partial' && sharing.people.length === 0;

  return (
    <FormDialog title={texts.title} onClose={onClose} submitLabel={common.save} onSubmit={save} isDisabled={isMissing}>
      {bot.is_publication && <p className="text-sm text-muted">{texts.published}</p>}
      <RadioGroup
        value={sharing.scope}
        onChange={(scope) => setSharing({ ...sharing, scope: scope as Bot['shared_scope'] })}
        isDisabled={bot.is_publication}
        className="flex flex-col gap-2"
      >
        <Label className="text-xs font-medium">{texts.who}</Label>
        {SCOPES.map((scope) => (
          <Radio
            key={scope}
            value={scope}
            className="group flex min-h-11 cursor-pointer items-start gap-3 rounded-sm border border-line p-3 text-sm data-[selected]:border-accent data-[selected]:bg-accent-soft data-[disabled]:cursor-default"
          >
            <span
              aria-hidden
              className="mt-0.5 size-5 shrink-0 rounded-full border border-control bg-raised group-data-[selected]:border-6 group-data-[selected]:border-accent"
            />
            <span>
              <span className="block font-medium">{texts[scope]}</span>
              <span className="block text-xs text-muted">{texts[`${scope}Text`]}</span>
            </span>
          </Radio>
        ))}
      </RadioGroup>
      {sharing.scope !== 'private' && <PeoplePicker people={sharing.people} onChange={(people) => setSharing({ ...sharing, people })} />}
      {isMissing && <p className="text-xs text-muted">{texts.needsSomeone}</p>}
    </FormDialog>
  );
}
