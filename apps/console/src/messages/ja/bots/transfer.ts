import type { transfer as English } from '../../en/bots/transfer.ts';
import { plural } from '../../plural.ts';

export const transfer: typeof English = {
  duplicate: '複製',
  duplicateTitle: 'ボットの複製',
  duplicateText: '複製したボットは非公開で、所有者はあなたになります。共有設定、公開、以前のバージョンは複製されません。',
  title: 'タイトル',
  copyOf: (title) => `${title} (コピー)`,
  withFiles: 'アップロード済みのファイルも複製',
  duplicated: 'ボットを複製しました。',

  exportYaml: 'YAML でエクスポート',
  exportZip: 'ファイル付きでエクスポート (ZIP)',
  exporting: 'エクスポートを準備しています。完了すると、ブラウザーが保存します。',

  import: 'インポート',
  importTitle: 'ボットのインポート',
  importText:
    'ボットのエクスポートから作成します。YAML ファイル、またはボットのファイルを含む ZIP を選んでください。新しいボットは非公開で、所有者はあなたになります。',
  choose: 'ファイルを選択',
  chooseAnother: '別のファイルを選択',
  checking: (file) => `${file} を読み込み中…`,
  tooLarge: 'ファイルが大きすぎます。ボットの YAML の上限は 2 MiB です。',
  ready: (title) => `「${title}」をインポートできます`,
  files: (n) => plural(n, { other: 'ファイル {n} 個を含みます。' }),
  allTaken: 'ファイルの内容がすべてインポートされます。',
  leftOut: '新しいボットに引き継がれないもの',
  field: '項目',
  value: '値',
  reason: '理由',
  create: 'ボットを作成',
  imported: 'ボットをインポートしました。',
};
