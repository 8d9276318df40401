import { AccountFrame } from '../account-frame.tsx';
import { ExportSection } from './export-section.tsx';
import { ImportSection } from './import-section.tsx';

/** The user's own data: export to a file, and import from another installation or product. */
export function DataPage() {
  return (
    <AccountFrame>
      <ExportSection />
      <ImportSection />
    </AccountFrame>
  );
}
