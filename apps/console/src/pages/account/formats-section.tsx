import { useState } from 'react';
import { chooseFormatsOf, chosenFormats, type Formats, type Region, REGIONS, tagOf } from '../../app/formats.ts';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { locale } from '../../messages/index.ts';
import { Select } from '../../ui/fields/select.tsx';
import { Section } from '../../ui/page.tsx';

/** An afternoon, and a day that cannot be a month, so that the example shows the date order and the clock. */
const EXAMPLE = new Date(2026, 10, 28, 15, 30);

function exampleOf(region: Region): string {
  const tag = tagOf(region);
  const time = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }).format(EXAMPLE);
  return `${time} · ${new Intl.NumberFormat(tag, { style: 'currency', currency: 'USD' }).format(1_234.5)}`;
}

/** The texts exist in one language so far, so only the formats can be chosen. */
export function FormatsSection() {
  const account = useAccountMessages();
  const [formats, setFormats] = useState(chosenFormats);
  const names = new Intl.DisplayNames(locale(), { type: 'region' });
  const choose = (chosen: Formats) => {
    chooseFormatsOf(chosen);
    setFormats(chosen);
  };
  return (
    <Section title={account.language} description={account.languageText}>
      <Select<Formats>
        label={account.formats}
        value={formats}
        onChange={choose}
        options={[
          { id: 'browser', name: account.formatsOfBrowser },
          ...REGIONS.map((region) => ({ id: region, name: `${names.of(region)}: ${exampleOf(region)}` })),
        ]}
        className="max-w-md"
      />
    </Section>
  );
}
