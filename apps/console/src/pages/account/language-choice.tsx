import type { OwnUser } from '@parlance/client/types';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../api/error-text.ts';
import { chooseLanguage } from '../../app/language.ts';
import { accountMessages, useAccountMessages } from '../../messages/account-messages.ts';
import { languages } from '../../messages/index.ts';
import { LANGUAGE_NAMES } from '../../messages/language-names.ts';
import { parlance } from '../../session/parlance.ts';
import { meQuery, useMe } from '../../session/use-me.ts';
import { Select } from '../../ui/fields/select.tsx';
import { toast } from '../../ui/toasts.tsx';

type Choice = OwnUser['language'];

/** The option for no choice. The API uses null, but an option needs an ID. */
const BROWSER = 'browser' as const;
const idOf = (language: Choice) => language ?? BROWSER;

/** The language of the console and of mails, which is kept in the account. */
export function LanguageChoice() {
  const account = useAccountMessages();
  const cache = useQueryClient();
  const { language } = useMe();
  const choice = useMutation({
    // Sent one after another, so that the last choice wins.
    scope: { id: 'language' },
    mutationFn: (chosen: Choice) => parlance.api.patch('/user/me', { body: { language: chosen } }),
    onSuccess: async (me) => {
      cache.setQueryData(meQuery.queryKey, me);
      await chooseLanguage(me.language);
      toast(accountMessages().languageChanged);
    },
  });
  return (
    <Select
      label={account.consoleLanguage}
      value={idOf(choice.isPending ? choice.variables : language)}
      onChange={(id) => choice.mutate(id === BROWSER ? null : id)}
      options={[{ id: BROWSER, name: account.languageOfBrowser }, ...languages.map((each) => ({ id: each, name: LANGUAGE_NAMES[each] }))]}
      error={choice.error === null ? undefined : errorText(choice.error)}
      className="max-w-md"
    />
  );
}
