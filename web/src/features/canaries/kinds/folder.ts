import { connection } from '@/entities/connection-field.tsx'
import { duration, envVar, type FieldSpec, number, port, section, text, toggle } from '@/ui/form/declare.ts'
import { type CheckKind, details, expressions, name, startWith } from './kind.ts'

const bytes = (field: string, label: string) => text(field, { label, placeholder: '10Mi' })

/** Fields of one way to reach the folder. */
const access = (label: string, key: string, types: readonly string[], fields: readonly FieldSpec[]) =>
  section(label, [connection(`${key}.connection`, { label: 'Connection', types, wide: true }), ...fields], {
    collapsed: true,
  })
const host = (key: string, usual: number) => [
  text(`${key}.host`, { label: 'Host' }),
  port(`${key}.port`, undefined, { label: 'Port', placeholder: String(usual) }),
  envVar(`${key}.username`, { label: 'Username', plain: true }),
  envVar(`${key}.password`, { label: 'Password' }),
]

export const folder: CheckKind = {
  key: 'folder',
  label: 'Folder',
  icon: 'folder',
  fields: [
    name,
    text('path', { required: true, placeholder: '/var/backups, s3://bucket/path, smb://server/share' }),
    toggle('recursive'),
    section('Limits', [
      duration('minAge', { label: 'Min age', hint: 'The newest file must be older' }),
      duration('maxAge', { label: 'Max age', hint: 'The oldest file must be younger' }),
      number('minCount', { label: 'Min count', min: 0 }),
      number('maxCount', { label: 'Max count', min: 0 }),
      bytes('minSize', 'Min size'),
      bytes('maxSize', 'Max size'),
      bytes('availableSize', 'Free space left'),
      bytes('totalSize', 'Total size'),
    ]),
    section(
      'Filter',
      [
        text('filter.regex', { label: 'Name', hint: 'Regular expression over file names', wide: true }),
        duration('filter.minAge', { label: 'Min age' }),
        duration('filter.maxAge', { label: 'Max age' }),
        bytes('filter.minSize', 'Min size'),
        bytes('filter.maxSize', 'Max size'),
        text('filter.since', { label: 'Since' }),
      ],
      { collapsed: true },
    ),
    access(
      'AWS connection',
      'awsConnection',
      ['aws', 's3'],
      [
        text('awsConnection.bucket', { label: 'Bucket' }),
        text('awsConnection.region', { label: 'Region' }),
        envVar('awsConnection.accessKey', { label: 'Access key' }),
        envVar('awsConnection.secretKey', { label: 'Secret key' }),
        text('awsConnection.endpoint', { label: 'Endpoint' }),
      ],
    ),
    access(
      'GCP connection',
      'gcpConnection',
      ['google_cloud', 'gcs'],
      [
        text('gcpConnection.bucket', { label: 'Bucket' }),
        text('gcpConnection.endpoint', { label: 'Endpoint' }),
        envVar('gcpConnection.credentials', { label: 'Credentials', wide: true }),
      ],
    ),
    access('SFTP connection', 'sftpConnection', ['sftp'], host('sftpConnection', 22)),
    access(
      'SMB connection',
      'smbConnection',
      ['smb'],
      [
        ...host('smbConnection', 445),
        text('smbConnection.share', { label: 'Share' }),
        text('smbConnection.domain', { label: 'Domain' }),
      ],
    ),
    expressions,
    details,
  ],
  start: startWith('folder', { path: '' }),
}
