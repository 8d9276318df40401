import type { OwnUser } from '@parlance/client/types';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { signInOptionsQuery } from '../../session/sign-in-options.ts';
import { meQuery, useMe } from '../../session/use-me.ts';
import { Select } from '../../ui/fields/select.tsx';
import { Section } from '../../ui/page.tsx';
import { errorText } from '../../api/error-text.ts';
import { toast } from '../../ui/toasts.tsx';

/** The languages that have mails. */
type Language = Extract<OwnUser['language'], 'en' | 'de' | null>;

/** The option for the language of the installation. The API uses null, but an option needs an ID. */
const INSTALLATION = 'installation' as const;
const LANGUAGES: readonly Language[] = [null, 'en', 'de'];
const idOf = (language: Language) => language ?? INSTALLATION;

/** Shown only if a mail server is configured. This is the case exactly if password links can be sent. */
export function MailLanguageSection() {
  const account = useAccountMessages();
  const options = useQuery(signInOptionsQuery(parlance)).data;
  if (!options?.password_reset_by_mail) return null;
  return (
    <Section title={account.mails} description={account.mailsText}>
      <LanguageChoice />
    </Section>
  );
}

function LanguageChoice() {
  const account = useAccountMessages();
  const cache = useQueryClient();
  const { language } = useMe();
  const choice = useMutation({
    // Sent one after another, so that the last choice wins.
    scope: { id: 'mail-language' },
    mutationFn: (chosen: Language) => parlance.api.patch('/user/me', { body: { language: chosen } }),
    onSuccess: (me) => {
      cache.setQueryData(meQuery.queryKey, me);
      toast(account.mailLanguageChanged);
    },
  });
  return (
    <Select
      label={account.mailLanguage}
      value={idOf(choice.isPending ? choice.variables : (LANGUAGES.find((each) => each === language) ?? null))}
      onChange={(id) => choice.mutate(id === INSTALLATION ? null : id)}
      options={LANGUAGES.map((each) => ({ id: idOf(each), name: account.mailLanguages[idOf(each)] }))}
      error={choice.error === null ? undefined : errorText(choice.error)}
      className="max-w-sm"
    />
  );
}
