import type { transfer as English } from '../../en/bots/transfer.ts';
import { plural } from '../../plural.ts';

export const transfer: typeof English = {
  duplicate: '创建副本',
  duplicateTitle: '创建机器人副本',
  duplicateText: '副本为私有，归你所有。共享设置、发布和以前的版本不会复制。',
  title: '标题',
  copyOf: (title) => `${title}（副本）`,
  withFiles: '复制上传的文件',
  duplicated: '机器人副本已创建。',

  exportYaml: '导出为 YAML',
  exportZip: '连同文件导出（ZIP）',
  exporting: '正在准备导出。完成后由浏览器保存。',

  import: '导入',
  importTitle: '导入机器人',
  importText: '使用机器人的导出文件：YAML 文件，或包含其文件的 ZIP。新机器人为私有，归你所有。',
  choose: '选择文件',
  chooseAnother: '选择其他文件',
  checking: (file) => `正在读取 ${file}…`,
  tooLarge: '文件过大。机器人的 YAML 不能超过 2 MiB。',
  ready: (title) => `“${title}”可以导入`,
  files: (n) => plural(n, { other: '包含 {n} 个文件。' }),
  allTaken: '文件中的所有内容都会导入。',
  leftOut: '不会带入新机器人的内容',
  field: '字段',
  value: '值',
  reason: '原因',
  create: '创建机器人',
  imported: '机器人已导入。',
};
