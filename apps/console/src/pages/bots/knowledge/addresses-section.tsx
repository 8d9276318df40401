import type { PrivateBot } from '@parlance/client/types';
import { useState } from 'react';
import { fieldErrors, formError } from '../../../api/form-errors.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';
import { botChanged } from '../bot-queries.ts';
import { linesOf } from '../editor/lines.ts';
import { UnsavedGuard } from '../editor/unsaved-guard.tsx';

const LISTS = ['source_urls', 'sitemap_urls', 's3_urls'] as const;
type Texts = Record<(typeof LISTS)[number], string>;

const textsOf = ({ knowledge }: PrivateBot): Texts => ({
  source_urls: knowledge.source_urls.join('\n'),
  sitemap_urls: knowledge.sitemap_urls.join('\n'),
  s3_urls: knowledge.s3_urls.join('\n'),
});

export function AddressesSection({ bot }: { readonly bot: PrivateBot }) {
  const { knowledge } = useMessages().bots;
  const [draft, setDraft] = useState<Partial<Texts>>({});
  const {
    isPending,
    error,
    send: save,
  } = useSending(async () => {
    const lists = Object.fromEntries(changed.map((name) => [name, linesOf(texts[name])]));
    botChanged(await parlance.bots.change(bot.id, { knowledge: lists }));
    setDraft((now) => (now === draft ? {} : now));
    toast(knowledge.saved);
  });
  const saved = textsOf(bot);
  // Sends only the edited lists: someone else may be changing the others.
  const texts = { ...saved, ...draft };
  const changed = LISTS.filter((name) => texts[name] !== saved[name]);
  const errors = fieldErrors(error);
  const problem = formError(error);
  const labels = { source_urls: knowledge.urls, sitemap_urls: knowledge.sitemaps, s3_urls: knowledge.s3 };
  // An error in one line carries the path of the list or of the line.
  const errorOf = (name: (typeof LISTS)[number]) => Object.entries(errors).find(([path]) => path.startsWith(`knowledge.${name}`))?.[1];

  return (
    <Section title={knowledge.addresses} description={knowledge.addressesText}>
      <form onSubmit={save} className="flex flex-col gap-3">
        {LISTS.map((name) => (
          <TextField
            key={name}
            label={labels[name]}
            {...(name === 's3_urls' && { help: knowledge.s3Help })}
            rows={3}
            value={texts[name]}
            onChange={(text) => setDraft({ ...draft, [name]: text })}
            error={errorOf(name)}
          />
        ))}
        {problem !== null && <ErrorNote error={problem} />}
        <Button type="submit" look="primary" className="self-end" isPending={isPending} isDisabled={changed.length === 0}>
          {knowledge.saveAddresses}
        </Button>
      </form>
      <UnsavedGuard isDirty={changed.length > 0} />
    </Section>
  );
}
