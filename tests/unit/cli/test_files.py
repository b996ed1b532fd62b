"""Files are written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from tightrope.cli.files import replacing, write_file, write_scenario_file


def _mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_name_that_is_not_utf8_keeps_its_bytes(tmp_path: Path) -> None:
    write_file(tmp_path / "out.csv", "a\udcff.cnf\n")
    assert (tmp_path / "out.csv").read_bytes() == b"a\xff.cnf\n"


def test_a_file_that_cannot_be_completed_leaves_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    file.write_text("old")

    def fail() -> None:
        with replacing(file) as fresh:
            fresh.write_text("half of")
            raise ValueError("the rest cannot be written")

    with pytest.raises(ValueError, match="the rest"):
        fail()
    with pytest.raises(UnicodeEncodeError):
        write_file(file, "\ud800")
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file") as raised:
        write_file(tmp_path / "nowhere" / "out.csv", "text")
    assert raised.value.filename == str(tmp_path / "nowhere" / "out.csv")


def test_a_link_stays_a_link_and_a_mode_stays_a_mode(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "real.csv").chmod(0o640)
    (tmp_path / "link.csv").symlink_to("real.csv")
    write_file(tmp_path / "link.csv", "new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"
    assert _mode(tmp_path / "real.csv") == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_file(Path("/dev/null"), "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_only_a_scenario_with_environment_variables_is_private(tmp_path: Path) -> None:
    plain = b'command = "env {parameters}"\n'
    write_scenario_file(tmp_path / "plain.toml", plain)
    assert _mode(tmp_path / "plain.toml") != 0o600
    (tmp_path / "secret.toml").write_text("an older one that all can read")
    write_scenario_file(tmp_path / "secret.toml", plain + b'[env]\nKEY = "secret"\n')
    assert _mode(tmp_path / "secret.toml") == 0o600
