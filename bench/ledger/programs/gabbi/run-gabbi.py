#!/usr/bin/python3
"""Runs Placement's own HTTP tests (gabbi files) against hplaced.

    run-gabbi.py CHECKOUT HPLACED [--only PART] [--verbose] [--db URL]

CHECKOUT is a copy of openstack/placement; nothing of it is changed. Its fixtures, which fill Placement's own database, are loaded as they
are, over a layer that does over HTTP what they ask of the database. Every file gets a fresh hplaced with an empty ledger.
Prints one JSON document: counts by file, and each failure with its reason.
"""
import argparse
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import types
import unittest
import uuid

import urllib3
from gabbi import driver
from gabbi.handlers import core

HTTP = urllib3.PoolManager(retries=False)


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Service:
    """One hplaced after the other, all on one port, each with a new ledger."""

    def __init__(self, launcher, db):
        self.launcher, self.db, self.port = launcher, db, free_port()
        self.process = self.folder = None

    def start(self):
        if self.process and self.process.poll() is None:
            # A fixture failed half way and never came to its end.
            self.process.kill()
            self.process.wait()
        self.folder = tempfile.mkdtemp(prefix='gabbi-')
        self.log = open(os.path.join(self.folder, 'log'), 'w')
        url = self.db or os.path.join(self.folder, 'ledger.db')
        self.process = subprocess.Popen(
            [self.launcher, '--listen', '127.0.0.1:%d' % self.port, '--db', url],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if 'listens on' not in line:
            raise RuntimeError('hplaced did not start: ' + open(self.log.name).read())

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(20) != 0:
            raise RuntimeError('hplaced ended with status %d' % self.process.returncode)
        errors = open(self.log.name).read()
        if errors:
            print(errors, file=sys.stderr)
        shutil.rmtree(self.folder)

    def call(self, method, path, body=None, expect=(200, 201, 204)):
        headers = {'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.37', 'accept': 'application/json'}
        data = None
        if body is not None:
            headers['content-type'] = 'application/json'
            data = json.dumps(body)
        answer = HTTP.request(method, 'http://127.0.0.1:%d%s' % (self.port, path), body=data, headers=headers)
        if answer.status not in expect:
            raise RuntimeError('%s %s: %d %s' % (method, path, answer.status, answer.data))
        return json.loads(answer.data) if answer.data else None


class Provider:
    """Stands for the provider object that fixtures work with."""

    def __init__(self, service, name, own_uuid):
        self.service, self.name, self.uuid = service, name, own_uuid

    def path(self, part=''):
        return '/resource_providers/%s%s' % (self.uuid, part)

    def generation(self):
        return self.service.call('GET', self.path())['generation']

    def set_aggregates(self, aggregates):
        self.service.call('PUT', self.path('/aggregates'), {
            'aggregates': list(aggregates), 'resource_provider_generation': self.generation()})


def database_layer(service):
    """The functions by which the fixtures fill the database."""
    layer = types.ModuleType('test_base')

    def create_provider(_context, name, *aggregates, **more):
        provider = Provider(service, name, more.get('uuid') or str(uuid.uuid4()))
        body = {'name': name, 'uuid': provider.uuid}
        if more.get('parent'):
            body['parent_provider_uuid'] = more['parent']
        service.call('POST', '/resource_providers', body)
        if aggregates:
            provider.set_aggregates(aggregates)
        return provider

    def add_inventory(provider, name, total, **fields):
        if name.startswith('CUSTOM_'):
            service.call('PUT', '/resource_classes/' + name)
        service.call('POST', provider.path('/inventories'), {'resource_class': name, 'total': total, **fields})

    def set_traits(provider, *traits):
        for name in traits:
            if name.startswith('CUSTOM_'):
                service.call('PUT', '/traits/' + name)
        service.call('PUT', provider.path('/traits'), {
            'traits': list(traits), 'resource_provider_generation': provider.generation()})

    def ensure_consumer(_context, user, project, consumer_id=None):
        return types.SimpleNamespace(
            uuid=consumer_id or str(uuid.uuid4()), user=user, project=project)

    def set_allocation(_context, provider, consumer, resources):
        service.call('PUT', '/allocations/' + consumer.uuid, {
            'allocations': {provider.uuid: {'resources': resources}}, 'consumer_generation': None,
            'project_id': consumer.project.external_id, 'user_id': consumer.user.external_id})

    def create_user_and_project(_context, prefix='fake'):
        return (types.SimpleNamespace(external_id=prefix + '-user'),
                types.SimpleNamespace(external_id=prefix + '-project'))

    layer.__dict__.update(
        create_provider=create_provider, add_inventory=add_inventory, set_traits=set_traits, ensure_consumer=ensure_consumer,
        set_allocation=set_allocation, create_user_and_project=create_user_and_project)
    return layer


class Names(types.ModuleType):
    """A module whose every attribute is its own name: classes and traits are texts."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return name


class Record:
    """Users, projects, classes: made by being named."""

    def __init__(self, context=None, external_id=None, name=None, **_more):
        self.external_id, self.name = external_id, name

    def create(self):
        if self.name:
            SERVICE.call('PUT', '/resource_classes/' + self.name)


class Anything(types.ModuleType):
    """A module that the fixtures import and that no test in scope needs."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return Anything(self.__name__ + '.' + name)

    def __call__(self, *_arguments, **_more):
        return self


class Sentinels:
    def __getattr__(self, name):
        return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))


def load_fixtures(checkout, service):
    modules = {
        'os_resource_classes': Names('os_resource_classes'), 'os_traits': Names('os_traits'),
        'placement.tests.functional.db.test_base': database_layer(service),
    }
    for name in ('oslo_config', 'oslo_config.cfg', 'oslo_config.fixture', 'oslo_log', 'oslo_log.fixture', 'oslo_policy',
                 'oslo_utils', 'oslo_utils.fixture', 'oslotest', 'oslotest.output', 'placement', 'placement.objects',
                 'placement.objects.project', 'placement.objects.resource_class', 'placement.objects.user', 'placement.tests',
                 'placement.tests.functional', 'placement.tests.functional.db', 'placement.tests.functional.fixtures',
                 'placement.tests.unit'):
        modules[name] = Anything(name)
    modules['oslo_utils'].uuidutils = types.SimpleNamespace(generate_uuid=lambda: str(uuid.uuid4()))
    modules['oslo_utils.fixture'].uuidsentinel = Sentinels()
    modules['placement.tests.functional.db'].test_base = modules['placement.tests.functional.db.test_base']
    for name, record in (('project', 'Project'), ('user', 'User'), ('resource_class', 'ResourceClass')):
        setattr(modules['placement.objects.' + name], record, Record)
        setattr(modules['placement.objects'], name, modules['placement.objects.' + name])
    sys.modules.update(modules)
    path = os.path.join(checkout, 'placement/tests/functional/fixtures/gabbits.py')
    spec = importlib.util.spec_from_file_location('placement_fixtures', path)
    fixtures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fixtures)
    text = open(path).read()

    def start(self):
        self.context = None
        service.start()
        # The names that the base fixture puts into the environment, each with a value of our own.
        for name in set(re.findall(r"os\.environ\['(\w+)'\] = uuidutils", text)):
            os.environ[name] = str(uuid.uuid4())
        for k, name in enumerate(('CUSTOM_RES_CLASS', 'CUSTOM_RES_CLASS1', 'CUSTOM_RES_CLASS2')):
            os.environ[name] = 'CUSTOM_GABBI_%d' % k

    fixtures.APIFixture.start_fixture = start
    fixtures.APIFixture.stop_fixture = lambda self: service.stop()
    return fixtures


OUT_OF_SCOPE = {
    'policy': 'policy files that change who may do what are a feature of oslo.policy',
    'rbac': 'scoped roles of Keystone: hplaced knows admin and reader',
    'cors': 'a preflight is answered with 204 where oslo.middleware says 200, and only with --cors',
}


def reason_to_skip(name):
    if name == 'non-cors.yaml':
        return None
    return next((why for part, why in OUT_OF_SCOPE.items() if part in name), None)


def understand_patterns():
    """Newer releases of gabbi take `/x/` among the expected texts for a regular expression; Debian's takes it as it stands."""
    plain = core.StringResponseHandler.action

    def action(self, test, expected, value=None):
        if len(expected) > 2 and expected.startswith('/') and expected.endswith('/'):
            test.assertRegex(test.output, test.replace_template(expected[1:-1]))
        else:
            plain(self, test, expected, value)

    core.StringResponseHandler.action = action


class Result(unittest.TestResult):
    def __init__(self, verbose):
        super().__init__()
        self.verbose, self.passed = verbose, 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('checkout')
    parser.add_argument('hplaced')
    parser.add_argument('--only', default='')
    parser.add_argument('--db')
    parser.add_argument('--verbose', action='store_true')
    options = parser.parse_args()
    understand_patterns()
    global SERVICE
    SERVICE = Service(options.hplaced, options.db)
    fixtures = load_fixtures(options.checkout, SERVICE)
    source = os.path.join(options.checkout, 'placement/tests/functional/gabbits')
    files, failures, skipped = {}, [], {}
    started = time.time()
    for name in sorted(os.listdir(source)):
        if not name.endswith('.yaml') or options.only not in name:
            continue
        why = reason_to_skip(name)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(source, name), folder)
            suite = driver.build_tests(folder, unittest.TestLoader(), host='127.0.0.1', port=SERVICE.port,
                                       test_loader_name='gabbi', fixture_module=fixtures)
            count = suite.countTestCases()
            if why:
                skipped[name] = {'tests': count, 'reason': why}
                continue
            result = Result(options.verbose)
            suite.run(result)
        bad = result.failures + result.errors + [(test, 'passed against expectation') for test in result.unexpectedSuccesses]
        files[name] = {'tests': count, 'passed': result.passed + len(result.expectedFailures), 'skipped': len(result.skipped)}
        for test, trace in bad:
            failures.append({'file': name, 'test': str(test).split('.')[-1], 'reason': trace.strip()[-1500:]})
        if options.verbose:
            print(name, files[name], file=sys.stderr)
    print(json.dumps({
        'name': 'gabbi', 'seconds': round(time.time() - started, 1),
        'tests': sum(f['tests'] for f in files.values()), 'passed': sum(f['passed'] for f in files.values()),
        'failed': len(failures), 'outOfScope': sum(s['tests'] for s in skipped.values()),
        'skipped': skipped, 'failures': failures}, indent=1))
    return 1 if failures or not files else 0


if __name__ == '__main__':
    sys.exit(main())
