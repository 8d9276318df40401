import type { ShareBody } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { queryClient } from '../../api/query-client.ts';
import { useSharingMessages } from '../../messages/sharing-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { useConfig } from '../../session/use-me.ts';
import { unmasked } from '../../session/masked-secrets.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { label } from '../../ui/fields/field-parts.tsx';
import { Checkbox, Select } from '../../ui/fields/index.ts';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { endOf, linkOf } from './share-link.ts';
import { ShareTable } from './share-table.tsx';

type Audience = ShareBody['audience'];
const AUDIENCES: readonly Audience[] = ['signed_in', 'public'];
const EXPIRIES = ['1', '7', '30', 'never'] as const;
/** The server's maximum for one chat. */
const MOST_LINKS = 20;

interface ShareDialogProps {
  readonly chat: { readonly id: string; readonly title: string };
  readonly onClose: () => void;
}

/** Creates links that let others read a chat as it is now, and lists the existing ones. */
export function ShareDialog({ chat: { id, title }, onClose }: ShareDialogProps) {
  const texts = useSharingMessages();
  const query = useQuery({
    queryKey: ['shares', id],
    queryFn: () =>
      parlance.api.get('/conversation/{conversationId}/shares', { path: { conversationId: id }, query: { limit: MOST_LINKS } }),
  });
  return (
    <Dialog title={texts.dialogTitle(title)} isOpen onClose={onClose} size="wide">
      <p className="text-sm text-muted">{texts.dialogText}</p>
      <NewLink conversationId={id} />
      <h3 className="text-sm font-semibold">{texts.links}</h3>
      <Loaded query={query}>
        {({ shares }) => (
          <ShareTable label={texts.links} shares={shares} hasChats={false} empty={<p className="text-sm text-muted">{texts.noLinks}</p>} />
        )}
      </Loaded>
    </Dialog>
  );
}

function NewLink({ conversationId }: { readonly conversationId: string }) {
  const texts = useSharingMessages();
  const [audience, setAudience] = useState<Audience>('signed_in');
  const [expiry, setExpiry] = useState<(typeof EXPIRIES)[number]>('7');
  const [also, setAlso] = useState({ include_attachments: false, include_sources: false });
  const [link, setLink] = useState<string | null>(null);
  const { isPending, error, send } = useSending(async () => {
    setLink(null);
    const body = { audience, expires_at: endOf(expiry), ...also };
    const { url } = await parlance.api.post('/conversation/{conversationId}/shares', { path: { conversationId }, body });
    void queryClient.invalidateQueries({ queryKey: ['shares'] });
    setLink(linkOf(unmasked(url)));
  });
  return (
    <form onSubmit={send} className="flex flex-col gap-4">
      <AudienceChoice value={audience} onChange={setAudience} />
      <div className="flex flex-wrap gap-x-8 gap-y-4">
        <Select
          label={texts.expiry}
          value={expiry}
          onChange={setExpiry}
          options={EXPIRIES.map((each) => ({ id: each, name: texts.expiries[each] }))}
          className="min-w-48"
        />
        <fieldset className="flex flex-col">
          <legend className={label}>{texts.alsoShared}</legend>
          <Checkbox isSelected={also.include_attachments} onChange={(isOn) => setAlso({ ...also, include_attachments: isOn })}>
            {texts.attachments}
          </Checkbox>
          <Checkbox isSelected={also.include_sources} onChange={(isOn) => setAlso({ ...also, include_sources: isOn })}>
            {texts.sources}
          </Checkbox>
        </fieldset>
      </div>
      {error !== null && <ErrorNote error={error} />}
      <Button type="submit" look="primary" isPending={isPending} className="self-start">
        {texts.make}
      </Button>
      <div role="status" className="flex flex-col gap-2 empty:hidden">
        {link !== null && (
          <>
            <p className="text-sm">{texts.linkOnce}</p>
            <CodeBlock label={texts.link} code={link} />
          </>
        )}
      </div>
    </form>
  );
}

function AudienceChoice({ value, onChange }: { readonly value: Audience; readonly onChange: (audience: Audience) => void }) {
  const texts = useSharingMessages();
  const config = useConfig().data;
  if (config?.allow_public_links !== true) return <p className="text-sm">{texts.signedInOnly}</p>;
  return (
    <RadioGroup value={value} onChange={(chosen) => onChange(chosen as Audience)} className="flex flex-col gap-2">
      <Label className={label}>{texts.audience}</Label>
      {AUDIENCES.map((each) => (
        <Radio
          key={each}
          value={each}
          className="group flex min-h-11 cursor-pointer items-start gap-3 rounded-sm border border-line p-3 text-sm data-[focus-visible]:outline-2 data-[focus-visible]:outline-accent data-[selected]:border-accent data-[selected]:bg-accent-soft"
        >
          <span
            aria-hidden
            className="mt-0.5 size-5 shrink-0 rounded-full border border-control bg-raised group-data-[selected]:border-6 group-data-[selected]:border-accent"
          />
          <span>
            <span className="block font-medium">{texts.audiences[each]}</span>
            <span className="block text-xs text-muted">{texts.audienceTexts[each]}</span>
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}
