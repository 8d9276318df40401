import type { Bot, Publication } from '@parlance/client/types';
import { useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Section } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { botTouched } from '../bot-queries.ts';
import { KeysSection } from './keys/keys-section.tsx';
import { LimitsSection } from './limits-section.tsx';
import { SnippetsSection } from './snippets-section.tsx';
import { TrySection } from './try-section.tsx';
import { UsageSection } from './usage-section.tsx';

export function LivePublication({ bot, publication }: { readonly bot: Bot; readonly publication: Publication }) {
  const { publish } = useMessages().bots;
  const [isAsking, setAsking] = useState(false);
  const { endpoint, domain_endpoint: domainEndpoint } = publication;
  const unpublish = async () => {
    await parlance.bots.unpublish(bot.id);
    await botTouched(bot.id);
    toast(publish.unpublished);
  };
  return (
    <>
      <Section
        title={publish.api}
        description={publish.live}
        actions={
          <Button look="danger" onPress={() => setAsking(true)}>
            {publish.unpublish}
          </Button>
        }
      >
        {endpoint !== null && <Address name={publish.endpoint} address={endpoint} copy={publish.copyEndpoint} />}
        {domainEndpoint !== null && <Address name={publish.domainEndpoint} address={domainEndpoint} copy={publish.copyEndpoint} />}
      </Section>
      <KeysSection botId={bot.id} />
      {endpoint !== null && <SnippetsSection endpoint={endpoint} />}
      {endpoint !== null && <TrySection endpoint={endpoint} />}
      <UsageSection botId={bot.id} />
      <LimitsSection botId={bot.id} publication={publication} />
      <ConfirmDialog
        title={publish.unpublishTitle}
        text={publish.unpublishText}
        confirmLabel={publish.unpublish}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={unpublish}
      />
    </>
  );
}

function Address({ name, address, copy }: { readonly name: string; readonly address: string; readonly copy: string }) {
  return (
    <dl className="text-sm">
      <dt className="text-xs font-medium">{name}</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 rounded-sm bg-code px-2 py-1 font-mono text-xs">{address}</code>
        <CopyButton text={address} label={copy} />
      </dd>
    </dl>
  );
}
