import { BROWSER, chooseFormatsOf, chosenFormats, regions, tagOf } from '../../app/formats.ts';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { languages, locale } from '../../messages/index.ts';
import { Select } from '../../ui/fields/select.tsx';
import { Section } from '../../ui/page.tsx';
import { LanguageChoice } from './language-choice.tsx';

/** An afternoon, and a day that cannot be a month, so that the example shows the date order and the clock. */
const EXAMPLE = new Date(2026, 10, 28, 15, 30);

function exampleOf(region: string): string {
  const tag = tagOf(region);
  const time = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }).format(EXAMPLE);
  return `${time} · ${new Intl.NumberFormat(tag, { style: 'currency', currency: 'USD' }).format(1_234.5)}`;
}

export function FormatsSection() {
  const account = useAccountMessages();
  const names = new Intl.DisplayNames(locale(), { type: 'region' });
  return (
    <Section title={account.language} description={account.languageText}>
      {languages.length > 1 && <LanguageChoice />}
      <Select
        label={account.formats}
        value={chosenFormats()}
        onChange={chooseFormatsOf}
        options={[
          { id: BROWSER, name: account.formatsOfBrowser },
          ...regions().map((region) => ({ id: region, name: `${names.of(region)}: ${exampleOf(region)}` })),
        ]}
        className="max-w-md"
      />
    </Section>
  );
}
