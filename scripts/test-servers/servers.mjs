import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const run = (program, args, options = {}) =>
  execFileSync(program, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options })
const password = 'correct-horse'

/** Each starts one server: {folder, launch, freePort, until} in, its address out. */
export const servers = { nginx, mariadb, redis, ldap, sftp, samba, bind, prometheus, alertmanager }

async function nginx({ folder, launch, freePort, until }) {
  const [port, tlsPort] = [await freePort(), await freePort()]
  const at = (name) => join(folder, name)
  const subject = ['-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  run('openssl', [
    'req',
    '-x509',
    ...subject,
    '-days',
    '365',
    '-subj',
    '/CN=Test CA',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  ])
  run('openssl', [
    'req',
    ...subject,
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
    '-keyout',
    at('tls.key'),
    '-out',
    at('tls.csr'),
  ])
  run('openssl', [
    'x509',
    '-req',
    '-in',
    at('tls.csr'),
    '-CA',
    at('ca.pem'),
    '-CAkey',
    at('ca.key'),
    '-CAcreateserial',
    '-days',
    '60',
    '-copy_extensions',
    'copy',
    '-out',
    at('tls.pem'),
  ])
  writeFileSync(at('users'), `ann:${run('openssl', ['passwd', '-apr1', password]).toString().trim()}\n`)
  mkdirSync(at('www'))
  writeFileSync(at('www/index.html'), 'hello from nginx')
  writeFileSync(at('www/items.json'), '{"items":[1,2,3]}')
  run('git', ['init', '-q', '--bare', '-b', 'main', at('repo.git')])
  run('git', ['-C', at('repo.git'), 'config', 'http.receivepack', 'true'])
  const fcgi = at('fcgi.sock')
  launch('/usr/sbin/fcgiwrap', ['-s', `unix:${fcgi}`])
  for (let tries = 0; tries < 50; tries++) {
    try {
      chmodSync(fcgi, 0o666)
      break
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${at(`tmp-${name}`)};`,
  )
  writeFileSync(
    at('nginx.conf'),
    `daemon off; pid ${at('nginx.pid')}; error_log stderr warn; worker_processes 1; user root;
    events { worker_connections 256; }
    http {
      access_log off; ${temporary.join(' ')} types { application/json json; text/html html; } root ${at('www')};
      server {
        listen 127.0.0.1:${port}; listen 127.0.0.1:${tlsPort} ssl;
        ssl_certificate ${at('tls.pem')}; ssl_certificate_key ${at('tls.key')};
        location / { }
        location /private { auth_basic "private"; auth_basic_user_file ${at('users')}; try_files /index.html =404; }
        location /moved { return 301 /index.html; }
        location /broken { return 500; }
        location ~ /git(/.*) {
          auth_basic "git"; auth_basic_user_file ${at('users')}; client_max_body_size 0;
          fastcgi_pass unix:${fcgi};
          fastcgi_param SCRIPT_FILENAME /usr/lib/git-core/git-http-backend; fastcgi_param GIT_HTTP_EXPORT_ALL "";
          fastcgi_param GIT_PROJECT_ROOT ${folder}; fastcgi_param PATH_INFO $1; fastcgi_param REMOTE_USER $remote_user;
          fastcgi_param REQUEST_METHOD $request_method; fastcgi_param QUERY_STRING $query_string;
          fastcgi_param CONTENT_TYPE $content_type; fastcgi_param CONTENT_LENGTH $content_length;
        }
      }
    }`,
  )
  launch('/usr/sbin/nginx', ['-p', folder, '-c', at('nginx.conf')])
  await until(port)
  return {
    url: `http://127.0.0.1:${port}`,
    tlsUrl: `https://127.0.0.1:${tlsPort}`,
    ca: at('ca.pem'),
    username: 'ann',
    password,
  }
}

async function mariadb({ folder, launch, freePort, until }) {
  const port = await freePort()
  const data = join(folder, 'data')
  mkdirSync(data)
  run('chown', ['-R', 'mysql', folder])
  run('mariadb-install-db', ['--no-defaults', `--datadir=${data}`, '--user=mysql', '--skip-test-db'])
  const init = join(folder, 'init.sql')
  writeFileSync(
    init,
    `create database shop;
create table shop.items (id bigint, price decimal(6,2), tags json, made datetime);
insert into shop.items values (1, 2.50, '["a"]', '2026-01-02 03:04:05'), (2, 3.00, null, null);
create user ann@'%' identified by '${password}';
grant all on shop.* to ann@'%';\n`,
  )
  launch('/usr/sbin/mariadbd', [
    '--no-defaults',
    `--datadir=${data}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${folder}/db.sock`,
    '--user=mysql',
    `--init-file=${init}`,
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=16M',
  ])
  await until(port)
  return { url: `mysql://ann:${password}@127.0.0.1:${port}/shop`, port, username: 'ann', password }
}

async function redis({ folder, launch, freePort, until }) {
  const port = await freePort()
  launch('/usr/bin/redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--requirepass',
    password,
    '--save',
    '',
    '--dir',
    folder,
  ])
  await until(port)
  return { url: `127.0.0.1:${port}`, password }
}

async function ldap({ folder, launch, freePort, until }) {
  const port = await freePort()
  mkdirSync(join(folder, 'db'))
  const config = join(folder, 'slapd.conf')
  const schema = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`)
  writeFileSync(
    config,
    [
      ...schema,
      `pidfile ${folder}/slapd.pid`,
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      'database mdb',
      'suffix "dc=test"',
      'rootdn "cn=admin,dc=test"',
      `rootpw ${password}`,
      `directory ${folder}/db`,
      '',
    ].join('\n'),
  )
  const entries =
    'dn: dc=test\nobjectClass: dcObject\nobjectClass: organization\no: test\ndc: test\n\ndn: uid=ann,dc=test\nobjectClass: inetOrgPerson\nuid: ann\ncn: Ann\nsn: A\n'
  run('slapadd', ['-f', config], { input: entries })
  launch('/usr/sbin/slapd', ['-f', config, '-h', `ldap://127.0.0.1:${port}`, '-d', '0'])
  await until(port)
  return { url: `ldap://127.0.0.1:${port}`, username: 'cn=admin,dc=test', password }
}

async function sftp({ folder, launch, freePort, until }) {
  const port = await freePort()
  for (const name of ['host', 'user'])
    run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, `${name}-key`)])
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  mkdirSync(join(folder, 'files/inner'), { recursive: true })
  writeFileSync(join(folder, 'files/a.txt'), 'aaa')
  writeFileSync(join(folder, 'files/inner/b.txt'), 'bbbbb')
  const lines = [
    'ListenAddress 127.0.0.1',
    `Port ${port}`,
    `HostKey ${folder}/host-key`,
    `AuthorizedKeysFile ${folder}/user-key.pub`,
    'PasswordAuthentication no',
    'UsePAM no',
    'StrictModes no',
    'PidFile none',
    'PermitRootLogin prohibit-password',
    'Subsystem sftp internal-sftp',
    '',
  ]
  writeFileSync(join(folder, 'sshd.conf'), lines.join('\n'))
  launch('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'sshd.conf')])
  await until(port)
  return { host: '127.0.0.1', port, username: 'root', keyFile: join(folder, 'user-key'), path: join(folder, 'files') }
}

async function samba({ folder, launch, freePort, until }) {
  const port = await freePort()
  const at = (name) => join(folder, name)
  for (const name of ['private', 'lock', 'state', 'cache', 'pid', 'ncalrpc', 'share/inner'])
    mkdirSync(at(name), { recursive: true })
  writeFileSync(at('share/a.txt'), 'aaa')
  writeFileSync(at('share/inner/b.txt'), 'bbbbb')
  writeFileSync(
    at('smb.conf'),
    `[global]
    smb ports = ${port}
    bind interfaces only = yes
    interfaces = 127.0.0.1
    private dir = ${at('private')}
    lock directory = ${at('lock')}
    state directory = ${at('state')}
    cache directory = ${at('cache')}
    pid directory = ${at('pid')}
    ncalrpc dir = ${at('ncalrpc')}
    log file = ${at('smb.log')}
    passdb backend = tdbsam:${at('private/passdb.tdb')}
    disable netbios = yes
    load printers = no
    printing = bsd
    [files]
    path = ${at('share')}
    read only = no\n`,
  )
  run('smbpasswd', ['-c', at('smb.conf'), '-a', '-s', 'root'], { input: `${password}\n${password}\n` })
  launch('/usr/sbin/smbd', ['-F', '--no-process-group', '-s', at('smb.conf')])
  await until(port)
  return { host: '127.0.0.1', port, share: 'files', username: 'root', password }
}

async function bind({ folder, launch, freePort, until }) {
  const port = await freePort()
  const zone = `$TTL 60
@ IN SOA ns.example.test. admin.example.test. 7 60 60 60 60
@ IN NS ns
@ IN MX 10 mail
@ IN TXT "v=spf1 -all"
@ IN CAA 0 issue "ca.test"
ns IN A 127.0.0.1
www IN A 192.0.2.1
www IN A 192.0.2.2
www IN AAAA 2001:db8::1
six IN AAAA 2001:db8::2
alias IN CNAME www
mail IN A 192.0.2.3
_sip._tcp IN SRV 5 10 5060 www\n`
  writeFileSync(join(folder, 'zone'), zone)
  writeFileSync(
    join(folder, 'reverse'),
    '$TTL 60\n@ IN SOA ns.example.test. admin.example.test. 7 60 60 60 60\n@ IN NS ns.example.test.\n1 IN PTR www.example.test.\n',
  )
  const named = (zoneName, file) => `zone "${zoneName}" { type master; file "${join(folder, file)}"; };`
  writeFileSync(
    join(folder, 'named.conf'),
    `options { directory "${folder}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no; pid-file none; session-keyfile none; managed-keys-directory "${folder}"; };
controls { };
${named('example.test', 'zone')}
${named('2.0.192.in-addr.arpa', 'reverse')}\n`,
  )
  launch('/usr/sbin/named', ['-g', '-c', join(folder, 'named.conf'), '-n', '1'])
  await until(port)
  return { server: '127.0.0.1', port }
}

async function prometheus({ folder, launch, freePort, until }) {
  const port = await freePort()
  writeFileSync(
    join(folder, 'prometheus.yml'),
    `global: { scrape_interval: 1s }\nscrape_configs: [{ job_name: self, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }]\n`,
  )
  launch('/usr/bin/prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  await until(port)
  return { url: `http://127.0.0.1:${port}` }
}

async function alertmanager({ folder, launch, freePort, until }) {
  const port = await freePort()
  writeFileSync(join(folder, 'alertmanager.yml'), 'route: { receiver: none }\nreceivers: [{ name: none }]\n')
  launch('/usr/bin/prometheus-alertmanager', [
    `--config.file=${join(folder, 'alertmanager.yml')}`,
    `--storage.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ])
  await until(port)
  return { url: `http://127.0.0.1:${port}` }
}
