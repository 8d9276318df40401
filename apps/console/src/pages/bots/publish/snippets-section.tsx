import { useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useMessages } from '../../../messages/index.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Section } from '../../../ui/page.tsx';
import { type Language, LANGUAGES, SNIPPETS } from './snippets.ts';

export function SnippetsSection({ endpoint }: { readonly endpoint: string }) {
  const { publish } = useMessages().bots;
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <Section title={publish.snippets} description={publish.snippetsText}>
      <Tabs selectedKey={language} onSelectionChange={(key) => setLanguage(key as Language)} className="flex flex-col gap-3">
        <TabList aria-label={publish.languages} className="flex gap-1 overflow-x-auto">
          {LANGUAGES.map((each) => (
            <Tab
              key={each}
              id={each}
              className="flex min-h-8 cursor-pointer items-center rounded-sm px-3 text-xs whitespace-nowrap text-muted outline-none data-[focus-visible]:outline-2 data-[focus-visible]:outline-accent data-[hovered]:text-text data-[selected]:bg-accent-soft data-[selected]:font-medium data-[selected]:text-accent max-sm:min-h-11"
            >
              {publish.snippetNames[each]}
            </Tab>
          ))}
        </TabList>
        {LANGUAGES.map((each) => (
          <TabPanel key={each} id={each}>
            <CodeBlock code={SNIPPETS[each](endpoint)} label={publish.snippetNames[each]} />
          </TabPanel>
        ))}
      </Tabs>
    </Section>
  );
}
